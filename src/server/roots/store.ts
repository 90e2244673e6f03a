import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

export interface RootStoreDeps {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
}

/** By which marks the folders of further roots are recognised. */
export type RootStore = ReturnType<typeof createRootStore>

export function createRootStore({ db, clock }: RootStoreDeps) {
  async function markOf(name: string, address: string): Promise<string | null> {
    const row = await db.selectFrom('roots').select(['mark', 'address']).where('name', '=', name).executeTakeFirst()
    // With another address, the operator means another folder.
    return row?.address === address ? row.mark : null
  }

  return {
    /** Null before its first use there. */
    markOf,

    /** Records the mark of a root at its first use. @returns the one that counts, because another server may have been first */
    async remember({ name, address, mark }: { name: string; address: string; mark: string }): Promise<string> {
      const row = { name, address, mark, first_used_at: clock().getTime() }
      await db
        .insertInto('roots')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row).where('roots.address', '!=', address))
        .execute()
      return (await markOf(name, address)) ?? mark
    },

    /** The next use records it anew. @returns false if there is none */
    async forget(name: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('roots').where('name', '=', name).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
