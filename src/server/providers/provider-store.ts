import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import type { Bus } from '../bus/bus.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { keptSignInMethods } from './kept-sign-in-methods.ts'
import { StoredConfig, type StoredProvider } from './provider.ts'
import { putSignInMethod } from './put-sign-in-method.ts'

const Way = z.object({ name: z.string(), enabled: z._default(z.boolean(), true) })

export type ProviderStore = ReturnType<typeof createProviderStore>

/** The providers, in the order of their buttons; read for every page, so cached until somebody writes. */
export function createProviderStore(db: Kysely<Schema>, clock: () => Date, bus: Bus) {
  const read = async (): Promise<readonly StoredProvider[]> => {
    const rows = await db.selectFrom('sign_in_providers').selectAll().where('kind', '=', 'oidc').orderBy('rank').orderBy('id').execute()
    return rows.map(({ id, config, secret }) => ({ ...StoredConfig.parse(config), id, clientSecret: secret }))
  }
  const { all, changed } = keptSignInMethods(read, { db, clock, bus })

  /** Providers and directories: each is a way to sign in. */
  async function ways(): Promise<{ id: string; kind: 'oidc' | 'ldap'; name: string; enabled: boolean }[]> {
    const rows = await db.selectFrom('sign_in_providers').select(['id', 'kind', 'config']).orderBy('rank').orderBy('id').execute()
    return rows.map(({ config, ...row }) => ({ ...row, ...Way.parse(JSON.parse(config)) }))
  }

  return {
    all,
    ways,
    find: async (id: string): Promise<StoredProvider | null> => (await all()).find((one) => one.id === id) ?? null,

    /** Adds a provider as the last one, or replaces the one with the same id. Fails with `already-exists` if a directory has that id. */
    put(provider: StoredProvider): Promise<void> {
      const { id, clientSecret: secret, ...fields } = provider
      return changed(putSignInMethod(db, { id, kind: 'oidc', config: JSON.stringify(fields), secret, created_at: clock().getTime() }))
    },

    remove: (id: string): Promise<unknown> => changed(db.deleteFrom('sign_in_providers').where('id', '=', id).execute()),

    /** Those that are not named stay behind the others. */
    order: (ids: readonly string[]): Promise<void> =>
      changed(
        inTransaction(db, async (trx) => {
          const rows = await trx.selectFrom('sign_in_providers').select('id').orderBy('rank').orderBy('id').execute()
          const rest = rows.map(({ id }) => id).filter((id) => !ids.includes(id))
          for (const [at, id] of [...ids, ...rest].entries())
            await trx.updateTable('sign_in_providers').set({ rank: at }).where('id', '=', id).execute()
        }),
      ),
  }
}
