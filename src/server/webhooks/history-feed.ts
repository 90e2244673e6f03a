import type { Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { OperationKind } from '../../shared/contract/operations.ts'
import type { WebhookBody } from '../../shared/contract/webhooks.ts'
import { inTransaction } from '../db/database.ts'
import type { OperationsTable, Schema } from '../db/schema.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { fromStored } from '../journal/stored-path.ts'
import { loadSetting, saveSetting } from '../settings/store.ts'
import type { StoredWebhook, WebhookStore } from './store.ts'

export interface HistoryFeedDeps {
  readonly db: Kysely<Schema>
  readonly store: Pick<WebhookStore, 'all'>
  /** Resolves when everything that this server has done is in the journal. */
  readonly settled: () => Promise<void>
  /** The kind of the deliveries, and how many may wait. */
  readonly job: string
  readonly mostWaiting: number
  readonly wake: () => void
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Where reading goes on: after an id, and with operations before it that had not ended. */
const Position = z.object({ after: z.string(), open: z.array(z.string()) })
type Position = z.infer<typeof Position>
type Row = Selectable<OperationsTable>

const KEY = 'webhookHistory'
const EVERY_MS = 2000
/** Ids are made a moment before they are written, and by several servers. */
const LAG_MS = 2000
const ROWS_AT_ONCE = 500
const CHANGES_AT_ONCE = 100
/** More that have not ended are not waited for. */
const MOST_OPEN = 500

/**
 * Reads the journal for the webhooks that want it: what has ended since, by gesture. Each operation is read once, also after a crash and by several
 * servers, because the place is stored with the deliveries in one transaction.
 */
export function createHistoryFeed({ db, store, settled, job, mostWaiting, wake, clock, log }: HistoryFeedDeps) {
  let running: Promise<void> | null = null
  let isForgotten = false

  async function read(): Promise<void> {
    const hooks = (await store.all()).filter(({ enabled, events }) => enabled && events.includes('history'))
    if (hooks.length === 0) {
      // A webhook that subscribes later is told of what is done from then on.
      if (!isForgotten) await db.deleteFrom('settings').where('key', '=', KEY).execute()
      isForgotten = true
      return
    }
    isForgotten = false
    await settled()
    for (let more = true; more;) {
      more = await inTransaction(db, (trx) => readSome(trx, hooks))
      wake()
    }
  }

  /** @returns whether there is more */
  async function readSome(trx: Kysely<Schema>, hooks: readonly StoredWebhook[]): Promise<boolean> {
    const outbox = createOutbox({ db: trx, clock })
    const stored = await loadSetting(trx, KEY)
    if (stored === null) {
      const last = await trx.selectFrom('operations').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      await saveSetting(trx, KEY, JSON.stringify({ after: last?.id ?? '', open: [] } satisfies Position))
      return false
    }
    // Nothing is skipped while receivers fail: it is read when there is room.
    if ((await outbox.waiting(job)) + ROWS_AT_ONCE * hooks.length > mostWaiting) return false
    const { after, open } = Position.parse(JSON.parse(stored))
    const rows = trx.selectFrom('operations').selectAll()
    const latest = Bun.randomUUIDv7('hex', clock().getTime() - LAG_MS)
    // First, because an operation leaves this table when it is in the other one. A large copy may be here for minutes.
    const begun = await trx.selectFrom('operations_open').select('id').where('id', '<', latest).orderBy('id').execute()
    const before = open.length === 0 ? [] : await rows.where('id', 'in', open).orderBy('id').execute()
    const fresh = await rows.where('id', '>', after).where('id', '<', latest).orderBy('id').limit(ROWS_AT_ONCE).execute()
    const all = [...before, ...fresh]
    const ended = all.filter(({ state }) => state !== 'intended' && state !== 'failed')
    for (const body of bodiesOf(ended))
      for (const { id, url } of hooks) await outbox.add(job, JSON.stringify({ hook: id, url, body }), { dueInMs: 0 })
    const until = fresh.at(-1)?.id ?? after
    const known = new Set(all.map(({ id }) => id))
    const unended = [...all.filter(({ state }) => state === 'intended'), ...begun.filter(({ id }) => id <= until && !known.has(id))]
    const position: Position = { after: until, open: unended.map(({ id }) => id).slice(-MOST_OPEN) }
    const next = JSON.stringify(position)
    if (next !== stored) await saveSetting(trx, KEY, next)
    return fresh.length === ROWS_AT_ONCE
  }

  /** Everything that has ended until now is passed on. Does not fail. */
  function pass(): Promise<void> {
    running ??= read()
      .catch((error: unknown) => log(`webhooks: the history is read later: ${String(error)}`))
      .finally(() => (running = null))
    return running
  }

  const timer = setInterval(() => void pass(), EVERY_MS)
  timer.unref()
  return {
    pass,
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}

/** One for each gesture, or several for a long one. */
function bodiesOf(rows: readonly Row[]): Omit<WebhookBody, 'id'>[] {
  const gestures = Map.groupBy(rows, ({ group_id: group }) => group)
  return [...gestures].flatMap(([gesture, all]) => {
    const pieces: Omit<WebhookBody, 'id'>[] = []
    for (let from = 0; from < all.length; from += CHANGES_AT_ONCE) {
      const some = all.slice(from, from + CHANGES_AT_ONCE)
      const last = some.at(-1)
      const changes = some.map(changeOf)
      const [first] = changes
      if (last === undefined || first === undefined) continue
      const user = last.user_id === 0 ? null : { id: last.user_id, name: last.user_name }
      const time = new Date(last.at).toISOString()
      pieces.push({ event: 'history', user, path: first.path, destination: null, time, gesture, via: last.via, changes })
    }
    return pieces
  })
}

function changeOf({ id, kind, path, origin, folder, size, reverts }: Row) {
  const from = origin === null ? null : fromStored(origin)
  // Written from these types only.
  return { id, kind: kind as OperationKind, path: fromStored(path), origin: from, isDir: folder === 1, size, reverts }
}
