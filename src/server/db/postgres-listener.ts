import { Client, type ClientConfig, type Notification } from 'pg'

/** What other processes on the same database say, and how to say something to them. */
export interface Listener {
  /** Begins to listen; until then, and while the connection is lost, nothing is heard. Fails when the database cannot be reached. */
  start(): Promise<void>
  /** Whether everything that is said now is heard. */
  isListening(): boolean
  stop(): Promise<void>
}

export interface ListenerOptions {
  readonly config: ClientConfig
  readonly channel: string
  /** @param text as it was sent */
  readonly onText: (text: string) => void
}

/** Held by every server for as long as it listens: by it one can tell whether there is any. */
export const SERVER_LOCK = 0x5a7c4e2
/** Before the next try to connect: a database that starts anew is there after some of them. */
const RETRY_MS = 500

/** A connection of its own that comes back by itself. */
export function createListener({ config, channel, onText }: ListenerOptions): Listener {
  let client: Client | null = null
  let retry: ReturnType<typeof setTimeout> | null = null
  let stopped = false

  async function connect(): Promise<void> {
    const fresh = new Client(config)
    const lost = (): void => {
      if (client === fresh) client = null
      fresh.removeListener('notification', heard)
      again()
    }
    fresh.once('end', lost)
    // Always followed by the end.
    fresh.on('error', () => undefined)
    fresh.on('notification', heard)
    try {
      await fresh.connect()
      await fresh.query(`select pg_advisory_lock_shared(${SERVER_LOCK}, hashtext(current_schema())); listen "${channel}"`)
    } catch (error) {
      fresh.removeListener('end', lost)
      void fresh.end().catch(() => undefined)
      throw error
    }
    if (stopped) return fresh.end()
    client = fresh
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
    start: connect,
    isListening: () => client !== null,
    async stop() {
      stopped = true
      if (retry !== null) clearTimeout(retry)
      await client?.end()
    },
  }
}
