import type { Pool } from 'pg'
import { fail } from '../../shared/errors.ts'
import type { Peers } from './peers.ts'
import { sqlState } from './postgres-driver.ts'
import type { Outages } from './postgres-outages.ts'

export interface LockOptions {
  /** Held while a file is saved; separate from the other connections, which that work needs. */
  readonly locks: Pool
  /** Asked for by work that holds one of `locks`: if they shared their connections, each could wait for another's. */
  readonly innerLocks: Pool
  /** For `briefly`. */
  readonly brief: Pool
  readonly outages: Outages
  readonly schema: string
}

/** Identifies our locks among all locks of a database; the second half is what is locked. */
const NODE_LOCK = 0x5a7c4e3
const BRIEF_LOCK = 0x5a7c4e4
/** How long a process that hangs in the middle may hold it, and how long others wait for it: a little longer. */
const BRIEF_HANGING = '3s'
const BRIEF_TIMEOUT = '5s'
/** What these begin with is asked for by work that may hold a lock of a node. */
const INNER_KEYS = '/.satchel/'

/** Locks of a database that all servers share. */
export function createLocks({ locks, innerLocks, brief, outages, schema }: LockOptions): Pick<Peers, 'exclusively' | 'briefly'> {
  async function locked(keys: readonly string[]) {
    return outages.retry(async () => {
      const client = await (keys.every((one) => one.startsWith(INNER_KEYS)) ? innerLocks : locks).connect()
      try {
        for (const one of keys) await client.query('select pg_advisory_lock($1, hashtext($2))', [NODE_LOCK, `${schema} ${one}`])
        return client
      } catch (error) {
        client.release(true)
        throw error
      }
    })
  }

  return {
    async exclusively(key, work) {
      const client = await locked([key].flat().toSorted()).catch(busyOr(outages.unlessGone))
      try {
        return await work()
      } finally {
        // The locks would also end with their connection.
        const isFree = await client.query('select pg_advisory_unlock_all()').then(
          () => true,
          () => false,
        )
        client.release(!isFree)
      }
    },

    async briefly(lock, { read }, step) {
      const begin = async () => {
        const client = await brief.connect()
        try {
          const key = client.escapeLiteral(`${schema} ${lock}`)
          const limits = `set local lock_timeout = '${BRIEF_TIMEOUT}'; set local idle_in_transaction_session_timeout = '${BRIEF_HANGING}'`
          const taking = `select pg_advisory_xact_lock(${BRIEF_LOCK}, hashtext(${key}))`
          // Several statements have several results, which the types do not say.
          const results: unknown = await client.query(`begin; ${limits}; ${taking}; ${read}`)
          return { client, rows: (results as { rows: Record<string, unknown>[] }[]).at(-1)?.rows ?? [] }
        } catch (error) {
          client.release(true)
          throw error
        }
      }
      const { client, rows } = await outages.retry(begin).catch(busyOr(outages.unlessGone))
      let isOver = false
      try {
        const { result, write } = step(rows)
        await client.query(write === null ? 'rollback' : `${write}; commit`).catch(outages.unlessGone)
        isOver = true
        return result
      } finally {
        if (!isOver)
          isOver = await client.query('rollback').then(
            () => true,
            () => false,
          )
        client.release(!isOver)
      }
    },
  }
}

function busyOr(otherwise: (error: unknown) => never): (error: unknown) => never {
  return (error) => (sqlState(error) === '55P03' ? fail('busy', {}, { cause: error }) : otherwise(error))
}
