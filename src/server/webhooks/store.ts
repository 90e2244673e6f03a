import type { Insertable, Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import { WEBHOOK_EVENTS } from '../../shared/contract/webhooks.ts'
import { keptUntilWritten } from '../db/kept-until-written.ts'
import type { Schema, WebhooksTable } from '../db/schema.ts'

export interface StoredWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly (typeof WEBHOOK_EVENTS)[number][]
  /** Signs deliveries; returned only once, when it is created. */
  readonly secret: string
  readonly enabled: boolean
  readonly createdAt: Date
}

export type WebhookStore = ReturnType<typeof createWebhookStore>

const Events = z.array(z.enum(WEBHOOK_EVENTS))

/** How soon a webhook counts that another process has made, changed or removed. */
const ASKED_EVERY_MS = 50

/** Read for every operation, so cached until somebody writes, here or in another process. */
export function createWebhookStore(db: Kysely<Schema>) {
  const { read: all, written } = keptUntilWritten(
    db,
    async (): Promise<readonly StoredWebhook[]> => {
      const rows = await db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(fromRow)
    },
    { askedEveryMs: ASKED_EVERY_MS },
  )

  return {
    /** Oldest first. */
    all,
    find: async (id: string): Promise<StoredWebhook | null> => (await all()).find((hook) => hook.id === id) ?? null,
    /** Adds a webhook, or replaces the one with the same id. */
    put(hook: StoredWebhook): Promise<unknown> {
      const { id: _, created_at: __, ...fields } = toRow(hook)
      return written(
        db
          .insertInto('webhooks')
          .values(toRow(hook))
          .onConflict((conflict) => conflict.column('id').doUpdateSet(fields))
          .execute(),
      )
    },
    remove: (id: string): Promise<unknown> => written(db.deleteFrom('webhooks').where('id', '=', id).execute()),
    replaceAll: (hooks: readonly StoredWebhook[]): Promise<void> =>
      written(
        db.transaction().execute(async (trx) => {
          await trx.deleteFrom('webhooks').execute()
          if (hooks.length > 0) await trx.insertInto('webhooks').values(hooks.map(toRow)).execute()
        }),
      ),
  }
}

function toRow({ id, url, events, secret, enabled, createdAt }: StoredWebhook): Insertable<WebhooksTable> {
  return { id, url, events: JSON.stringify(events), secret, enabled: enabled ? 1 : 0, created_at: createdAt.getTime() }
}

function fromRow(row: Selectable<WebhooksTable>): StoredWebhook {
  return {
    id: row.id,
    url: row.url,
    events: Events.parse(JSON.parse(row.events)),
    secret: row.secret,
    enabled: row.enabled === 1,
    createdAt: new Date(row.created_at),
  }
}
