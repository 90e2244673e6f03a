import type { Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { LastCheck } from '../../shared/contract/directories.ts'
import type { Bus } from '../bus/bus.ts'
import type { SignInProvidersTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'
import { keptSignInMethods } from '../providers/kept-sign-in-methods.ts'
import { putSignInMethod } from '../providers/put-sign-in-method.ts'
import { type CheckedDirectory, type StoredDirectory, StoredDirectoryConfig } from './directory.ts'

export type DirectoryStore = ReturnType<typeof createDirectoryStore>

const Result = z.object({ problem: z.string(), people: z.number(), ended: z.number() })

/** The directories, in the order in which they are asked; read at every sign-in, so cached until somebody writes. */
export function createDirectoryStore(db: Kysely<Schema>, clock: () => Date, bus: Bus) {
  const rows = () => db.selectFrom('sign_in_providers').selectAll().where('kind', '=', 'ldap')
  const read = async (): Promise<readonly CheckedDirectory[]> => (await rows().orderBy('rank').orderBy('id').execute()).map(directoryFrom)
  const { all, written, changed } = keptSignInMethods(read, { db, clock, bus })

  return {
    all,
    enabled: async (): Promise<readonly CheckedDirectory[]> => (await all()).filter(({ enabled }) => enabled),
    find: async (id: string): Promise<CheckedDirectory | null> => (await all()).find((one) => one.id === id) ?? null,

    /** Adds a directory as the last one, or replaces the one with the same id. Fails with `already-exists` if a provider has that id. */
    put(directory: StoredDirectory): Promise<void> {
      return changed(putSignInMethod(db, { ...rowOf(directory), created_at: clock().getTime() }))
    },

    remove: (id: string): Promise<unknown> =>
      changed(db.deleteFrom('sign_in_providers').where('id', '=', id).where('kind', '=', 'ldap').execute()),

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

function rowOf({ id, bindPassword, ...fields }: StoredDirectory & { lastCheck?: unknown }) {
  const { lastCheck: _check, ...config } = fields
  return { id, kind: 'ldap' as const, config: JSON.stringify(config), secret: bindPassword }
}
