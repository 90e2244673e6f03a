import type { Kysely } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Schema } from '../db/schema.ts'
import { createLru } from '../../shared/lru.ts'

const KEPT = 1000

/** Sign-ins of clients that read search results as NDJSON (decision 049). Renewed tokens inherit it. */
export function createNdjsonClients(db: Kysely<Schema>) {
  // It never becomes false again, so it can be cached.
  const known = createLru<string, true>(KEPT)
  return {
    async add({ sessionId }: Pick<Viewer, 'sessionId'>): Promise<void> {
      if (known.get(sessionId) === true) return
      try {
        await db.updateTable('sessions').set({ search_lines: 1 }).where('id', '=', sessionId).where('search_lines', '=', 0).execute()
      } catch (error) {
        // On a full disk this server still remembers it.
        if (!isAppError(error, 'storage-full')) throw error
      }
      known.set(sessionId, true)
    },

    async has({ sessionId }: Pick<Viewer, 'sessionId'>): Promise<boolean> {
      if (known.get(sessionId) === true) return true
      const row = await db.selectFrom('sessions').select('search_lines').where('id', '=', sessionId).executeTakeFirst()
      return row?.search_lines === 1
    },
  }
}
