import type { Insertable, Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { LastCheck } from '../../shared/contract/directories.ts'
import { fail } from '../../shared/errors.ts'
import { externalWrites, inTransaction } from '../db/database.ts'
import type { SignInProvidersTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'
import { type CheckedDirectory, type StoredDirectory, StoredDirectoryConfig } from './directory.ts'

export type DirectoryStore = ReturnType<typeof createDirectoryStore>

/** Another server's change is noticed after this long. */
const KEPT_MS = 10_000

const Result = z.object({ problem: z.string(), people: z.number(), ended: z.number() })

/** The directories, in the order in which they are asked; read at every sign-in, so cached until somebody writes. */
export function createDirectoryStore(db: Kysely<Schema>, clock: () => Date) {
  let kept: { directories: Promise<readonly CheckedDirectory[]>; elsewhere: number; until: number } | null = null
  const rows = () => db.selectFrom('sign_in_providers').selectAll().where('kind', '=', 'ldap')

  async function all(): Promise<readonly CheckedDirectory[]> {
    const elsewhere = externalWrites(db)
    const now = clock().getTime()
    if (kept === null || kept.elsewhere !== elsewhere || kept.until <= now) {
      const read = async () => (await rows().orderBy('rank').orderBy('id').execute()).map(directoryFrom)
      kept = { directories: read(), elsewhere, until: now + KEPT_MS }
    }
    try {
      return await kept.directories
    } catch (error) {
      kept = null
      throw error
    }
  }

  async function written<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } finally {
      kept = null
    }
  }

  return {
    all,
    enabled: async (): Promise<readonly CheckedDirectory[]> => (await all()).filter(({ enabled }) => enabled),
    find: async (id: string): Promise<CheckedDirectory | null> => (await all()).find((one) => one.id === id) ?? null,

    /** Adds a directory as the last one, or replaces the one with the same id. Fails with `already-exists` if a provider has that id. */
    put(directory: StoredDirectory): Promise<void> {
      return written(
        inTransaction(db, async (trx) => {
          const { rank } = await trx
            .selectFrom('sign_in_providers')
            .select((of) => of.fn.coalesce(of.fn.max('rank'), of.lit(0)).as('rank'))
            .executeTakeFirstOrThrow()
          const row = rowOf(directory, { rank: rank + 1, created_at: clock().getTime() })
          const { numInsertedOrUpdatedRows } = await trx
            .insertInto('sign_in_providers')
            .values(row)
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet({ config: row.config, secret: row.secret }).where('sign_in_providers.kind', '=', 'ldap'),
            )
            .executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows !== 1n) fail('already-exists', { path: directory.id })
        }),
      )
    },

    remove: (id: string): Promise<unknown> =>
      written(db.deleteFrom('sign_in_providers').where('id', '=', id).where('kind', '=', 'ldap').execute()),

    /** Begins a comparison, if none began since then: on one of several servers. */
    async claimCheck(id: string, { before }: { before: number }): Promise<boolean> {
      const { numUpdatedRows } = await written(
        db
          .updateTable('sign_in_providers')
          .set({ checked_at: clock().getTime() })
          .where('id', '=', id)
          .where('kind', '=', 'ldap')
          .where('checked_at', '<=', before)
          .executeTakeFirstOrThrow(),
      )
      return numUpdatedRows === 1n
    },

    async keepResult(id: string, { at: _at, ...result }: LastCheck): Promise<void> {
      await written(
        db
          .updateTable('sign_in_providers')
          .set({ check_result: JSON.stringify(result) })
          .where('id', '=', id)
          .execute(),
      )
    },
  }
}

function directoryFrom({ id, config, secret, checked_at, check_result }: Selectable<SignInProvidersTable>): CheckedDirectory {
  const lastCheck = check_result === '' ? null : { at: checked_at, ...Result.parse(JSON.parse(check_result)) }
  return { ...StoredDirectoryConfig.parse(config), id, bindPassword: secret, lastCheck }
}

function rowOf(
  { id, bindPassword, ...fields }: StoredDirectory & { lastCheck?: unknown },
  rest: { rank: number; created_at: number },
): Insertable<SignInProvidersTable> {
  const { lastCheck: _check, ...config } = fields
  return { id, kind: 'ldap', config: JSON.stringify(config), secret: bindPassword, ...rest }
}
