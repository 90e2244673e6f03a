import { Client, type ClientConfig, type Notification } from 'pg'
import type { DatabaseClock } from './database-clock.ts'
import { SERVER_LOCK } from './peers.ts'
import { destroy, isGone } from './postgres-outages.ts'

export interface ListenerOptions {
  readonly config: ClientConfig
  readonly channel: string
  /** @param text as sent */
  readonly onText: (text: string) => void
  /** Measured with each question whether the database answers. */
  readonly clock: DatabaseClock
  /** The database does not answer; `isGap`: it does again, and messages were missed. */
  readonly onLost: () => void
  readonly onHeard: (heard: { isGap: boolean }) => void
}

/** The time, as a number. */
export const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now'

/** Delay before reconnecting: a restarted database is ready after some attempts. */
const RETRY_MS = 500
/** A connection can fail silently: if a query is not answered in time, it is closed. */
const ASK_EVERY_MS = 2000
const ANSWER_MS = 4000

/** Messages between the processes on one database. */
export type Listener = ReturnType<typeof createListener>

/** Its own connection, which reconnects by itself. */
export function createListener({ config, channel, onText, clock, onLost, onHeard }: ListenerOptions) {
  let client: Client | null = null
  let retry: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let hasListened = false

  async function connect(): Promise<void> {
    const fresh = new Client({ ...config, query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS })
    const time = async () => (await fresh.query<{ now: number }>(CLOCK)).rows[0]?.now ?? Date.now()
    const asking = setInterval(() => void clock.measure(time).catch(silent), ASK_EVERY_MS)
    function silent(error: unknown): void {
      if (client === fresh && isGone(error)) onLost()
      destroy(fresh)
      lost()
    }
    function lost(): void {
      clearInterval(asking)
      fresh.removeListener('notification', heard)
      void fresh.end().catch(() => undefined)
      if (client !== fresh) return
      client = null
      again()
    }
    fresh.once('end', lost)
    // Always followed by `end`.
    fresh.on('error', () => undefined)
    fresh.on('notification', heard)
    try {
      await fresh.connect()
      await fresh.query(`select pg_advisory_lock_shared(${SERVER_LOCK}, hashtext(current_schema())); listen "${channel}"`)
    } catch (error) {
      if (isGone(error)) onLost()
      lost()
      throw error
    }
    client = fresh
    onHeard({ isGap: hasListened })
    hasListened = true
    if (stopped) lost()
  }

  function heard({ payload = '' }: Notification): void {
    onText(payload)
  }

  function again(): void {
    if (stopped || retry !== null) return
    retry = setTimeout(() => {
      retry = null
      connect().catch(again)
    }, RETRY_MS)
  }

  return {
    /** Starts listening; before that, and while the connection is lost, messages are missed. Fails if the database cannot be reached. */
    start: connect,
    /** Whether messages that are sent now will be received. */
    isListening: (): boolean => client !== null,
    async stop(): Promise<void> {
      stopped = true
      if (retry !== null) clearTimeout(retry)
      await client?.end()
      client = null
    },
  }
}
