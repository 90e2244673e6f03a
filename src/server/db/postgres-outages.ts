import type { Client, ClientBase, Pool } from 'pg'
import { codeOf, fail } from '../../shared/errors.ts'
import { throttled } from './throttled.ts'

/** What is known of whether PostgreSQL can be reached. */
export type Outages = ReturnType<typeof createOutages>

/** Nobody waits for a PostgreSQL that does not answer: what waits for it fails at once, and so does everything until it is back. */
export function createOutages(pools: readonly Pool[]) {
  const connected = new Set<ClientBase>()
  let say: (line: string) => void = () => undefined
  let isAway = false
  for (const pool of pools) {
    // A connection that breaks while idle is replaced at the next query.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      connected.add(client)
    })
    pool.on('remove', (client) => void connected.delete(client))
  }

  /** Without a database no request can be served; one log line says so for all of them. */
  function unlessGone(error: unknown): never {
    if (!isGone(error)) throw error
    say(
      `database: PostgreSQL cannot be reached (${error instanceof Error ? error.message : ''}); requests are answered with 503 until it can`,
    )
    return fail('offline', {}, { cause: error })
  }

  function refuse(): void {
    if (isAway) throw new Error('Connection terminated: there was no answer')
  }

  return {
    unlessGone,
    tell: (log: (line: string) => void): void => void (say = throttled(log)),
    /** Fails at once while it is away. */
    refuse,
    /** Repeats a query that changes nothing if PostgreSQL had closed its connection: after a restart, all of them are closed. Fails at once while it is away. */
    async retry<T>(work: () => Promise<T>): Promise<T> {
      for (let broken = 1; ; broken++) {
        refuse()
        try {
          return await work()
        } catch (error) {
          if (broken === MOST_BROKEN || !isCutOff(error)) throw error
        }
      }
    },
    /** It does not answer: all connections are closed, with what waits for them. */
    lost(): void {
      isAway = true
      for (const client of connected) destroy(client)
    },
    back: (): void => void (isAway = false),
  }
}

/** Ends a connection without a farewell, which would wait for an answer. */
export function destroy(client: ClientBase | Client): void {
  // The types leave out the stream, which the documentation of `pg` names.
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}

/** Number of pooled connections, plus a few that are opened meanwhile. */
const MOST_BROKEN = 12

function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return ['57P01', '57P02', 'ECONNRESET', 'EPIPE'].includes(code) || error.message === 'Connection terminated unexpectedly'
}

/** Also: closed because we were silent in a transaction, refused, not found, no answer, starting up or shutting down. */
export function isGone(error: unknown): boolean {
  if (isCutOff(error)) return true
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (['25P03', 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', '57P03'].includes(code))
    return true
  return /^timeout exceeded when trying to connect|^Connection terminated|^Query read timeout|^Client has encountered a connection error/.test(
    error.message,
  )
}
