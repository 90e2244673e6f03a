import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { DavOverwritesTable } from '../db/dav-tables.ts'
import type { Schema } from '../db/schema.ts'
import { fromStored, toStored } from '../journal/stored-path.ts'

/** A MOVE or COPY that puts something in the place of a node, which goes to the trash first. */
export interface Overwrite {
  /** What goes to the trash is its first deletion. */
  readonly gesture: string
  readonly kind: 'move' | 'copy'
  /** Storage path of what takes its place. */
  readonly origin: FilePath
  readonly by: { readonly id: number; readonly name: string }
}

/** A server at work renews its row this often. */
const RENEW_MS = 60_000

export type Overwrites = ReturnType<typeof createOverwrites>

/** Remembers what is being overwritten until it is done, so that a server that starts after one that died can undo it. */
export function createOverwrites({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const remove = async (gesture: string): Promise<void> => {
    await db.deleteFrom('dav_overwrites').where('gesture', '=', gesture).execute()
  }

  return {
    /** Does the work with a row that says so, which is gone when it has ended. */
    async during<T>({ gesture, kind, origin, by }: Overwrite, work: () => Promise<T>): Promise<T> {
      const row: DavOverwritesTable = {
        gesture,
        kind,
        origin: toStored(origin),
        user_id: by.id,
        user_name: by.name,
        at: clock().getTime(),
      }
      await db.insertInto('dav_overwrites').values(row).execute()
      const renew = (): void =>
        void db
          .updateTable('dav_overwrites')
          .set({ at: clock().getTime() })
          .where('gesture', '=', gesture)
          .execute()
          // The next one may succeed.
          .catch(() => undefined)
      const timer = setInterval(renew, RENEW_MS).unref()
      try {
        return await work()
      } finally {
        clearInterval(timer)
        await remove(gesture)
      }
    },

    /** Those whose server has not renewed its row since then. */
    async left(before: number): Promise<Overwrite[]> {
      const rows = await db.selectFrom('dav_overwrites').selectAll().where('at', '<', before).orderBy('at').execute()
      return rows.map(({ gesture, kind, origin, user_id, user_name }) => ({
        gesture,
        kind: kind === 'copy' ? 'copy' : 'move',
        origin: fromStored(origin),
        by: { id: user_id, name: user_name },
      }))
    },

    remove,
  }
}
