import type { Copying } from './copying.ts'
import { isFailure } from './failures.ts'
import type { Keys } from './keys.ts'
import { eachOf, type S3Object, type S3Objects } from './objects.ts'
import type { S3Client } from './client.ts'
import type { S3Limits } from './options.ts'
import type { Move, Pending } from './pending.ts'

interface MovesDeps {
  readonly client: S3Client
  readonly objects: S3Objects
  readonly copying: Copying
  readonly keys: Keys
  readonly pending: Pending
  readonly server: string
  readonly limits: S3Limits
  readonly log: (line: string) => void
}

export interface Moves {
  /**
   * Moves everything below one prefix to another, at which nothing is: recorded in the bucket first, so that a kill in between leaves a record by which
   * `resume` goes on.
   */
  move(from: string, to: string): Promise<void>
  /** Ends the moves that this server began before its restart, and those of servers that were not heard of. The others are known afterwards. */
  resume(): Promise<void>
}

/** The words of a record. */
interface Recorded extends Move {
  readonly server: string
}

const REMOVED_TOGETHER = 1000

export function createMoves({ client, objects, copying, keys, pending, server, limits, log }: MovesDeps): Moves {
  const records = keys.hidden('moves/')

  async function record(move: Move): Promise<void> {
    const text = JSON.stringify({ ...move, server } satisfies Recorded)
    await objects.put(`${records}${move.id}`, new TextEncoder().encode(text))
    pending.set(move)
  }

  async function read({ key }: S3Object): Promise<Recorded | null> {
    try {
      const value: unknown = JSON.parse((await client.send({ method: 'GET', key })).text)
      return isRecorded(value) ? value : null
    } catch (error) {
      // It has ended meanwhile, or is not ours.
      if (isFailure(error, 404) || error instanceof SyntaxError) return null
      throw error
    }
  }

  async function copyAll({ from, to }: Move, isResumed: boolean): Promise<void> {
    const rows = isResumed ? pairs(from, to) : all(from)
    await eachOf(rows, limits.parallel, async ({ source, copy }) => {
      if (copy !== null && isCopyOf(copy, source)) return
      const target = to + source.key.slice(from.length)
      // Some services do not copy the objects of folders.
      if (isMark(source)) await objects.put(target, new Uint8Array(0))
      else await copying.copy(source, target).catch(ignoreMissing)
    })
    // A folder of other programs has no object of its own.
    await objects.put(to, new Uint8Array(0))
  }

  /** Deletes what was copied, and nothing else: what came or changed meanwhile stays where it is. */
  async function deleteAll({ from, to }: Move): Promise<void> {
    let batch: string[] = []
    for await (const { source, copy } of pairs(from, to)) {
      if (copy !== null && isCopyOf(copy, source)) batch.push(source.key)
      if (batch.length >= REMOVED_TOGETHER) {
        await objects.removeMany(batch)
        batch = []
      }
    }
    await objects.removeMany(batch)
  }

  async function run(begun: Move, isResumed: boolean): Promise<void> {
    let move = begun
    const heartbeat = setInterval(() => void record(move).catch(() => undefined), limits.silentMs / 3)
    try {
      if (move.phase === 'copy') {
        await copyAll(move, isResumed)
        await record((move = { ...move, phase: 'delete' }))
      }
      await deleteAll(move)
    } finally {
      clearInterval(heartbeat)
    }
    await objects.remove(`${records}${move.id}`)
    pending.delete(move.id)
  }

  async function* all(from: string): AsyncGenerator<Pair> {
    for await (const page of objects.pages(from, { flat: true })) for (const source of page.objects) yield { source, copy: null }
  }

  /** The objects below one prefix, each with that of the same name below the other: both are listed in the order of their keys. */
  async function* pairs(from: string, to: string): AsyncGenerator<Pair> {
    const copies = each(to)
    let next = await copies.next()
    for await (const source of each(from)) {
      const name = Buffer.from(source.key.slice(from.length))
      const order = (): number => (next.done === true ? 1 : Buffer.compare(Buffer.from(next.value.key.slice(to.length)), name))
      while (order() < 0) next = await copies.next()
      yield { source, copy: order() === 0 && next.done !== true ? next.value : null }
    }
  }

  async function* each(prefix: string): AsyncGenerator<S3Object> {
    for await (const page of objects.pages(prefix, { flat: true })) yield* page.objects
  }

  /** Looks after a move of another server: it ends, or falls silent. */
  function follow(key: string): void {
    const look = async (): Promise<void> => {
      const object = await objects.head(key)
      const move = object && (await read(object))
      if (object === null || move === null) pending.delete(key.slice(records.length))
      else if (isSilent(object)) await run(move, true)
      else return follow(key)
    }
    setTimeout(() => void look().catch(() => follow(key)), limits.silentMs / 3).unref()
  }

  const isSilent = ({ modified }: S3Object): boolean => Date.now() - modified > limits.silentMs

  return {
    async move(from, to) {
      const move: Move = { id: Bun.randomUUIDv7(), from, to, phase: 'copy' }
      await record(move)
      try {
        await run(move, false)
      } catch (error) {
        // Readers see the source or the target, never both, until somebody can go on.
        log(`S3: a move of a folder was interrupted and goes on later: ${String(error)}`)
        follow(`${records}${move.id}`)
        throw error
      }
    },
    async resume() {
      for await (const page of objects.pages(records, { flat: true })) {
        for (const object of page.objects) {
          const move = await read(object)
          if (move === null || pending.has(move.id)) continue
          pending.set(move)
          if (move.server !== server && !isSilent(object)) follow(object.key)
          else await run(move, true)
        }
      }
    },
  }
}

/** Removed meanwhile, by another program or by a server that took this move over. */
function ignoreMissing(error: unknown): void {
  if (!isFailure(error, 404)) throw error
}

function isMark({ key, size }: S3Object): boolean {
  return key.endsWith('/') && size === 0
}

interface Pair {
  readonly source: S3Object
  readonly copy: S3Object | null
}

/** Times are those of the service; an object that was changed after it was copied is newer than its copy. */
function isCopyOf(copy: S3Object, source: S3Object): boolean {
  return copy.size === source.size && copy.modified >= source.modified
}

function isRecorded(value: unknown): value is Recorded {
  if (typeof value !== 'object' || value === null) return false
  const { id, from, to, phase, server } = value as Record<string, unknown>
  const texts = [id, from, to, server].every((text) => typeof text === 'string')
  return texts && (phase === 'copy' || phase === 'delete')
}
