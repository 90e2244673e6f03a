import type { ArchiveProblem } from '../../shared/archive-format.ts'
import { fail } from '../../shared/errors.ts'
import { createFairQueue, type FairQueue } from '../../shared/fair-queue.ts'
import type { Drive } from '../drive/drive.ts'
import { sandboxedProgram } from '../entries/entries.ts'
import { drain } from '../programs/drain.ts'
import { type FrameReader, headBytes, readFrames } from '../programs/frames.ts'
import { startProgram } from '../programs/start-program.ts'
import { within } from '../../shared/within.ts'
import { type Running, type Sandbox, wasKilled } from '../sandbox/sandbox.ts'
import { holdFile } from './held-file.ts'
import { UNPACK_LIMITS, type UnpackLimits } from './limits.ts'
import type { EntryHead, EntryKind, Message, Order, Problem } from './protocol.ts'

/** An entry of an archive that is being read; nothing in its head is to be believed. */
export interface Entry {
  readonly index: number
  readonly head: EntryHead
  /** Empty where it was not asked for. To be taken, or left, before the next entry. */
  readonly bytes: AsyncGenerator<Uint8Array, void>
}

export interface ReadOptions {
  /** Who reads it: nobody takes all the places. */
  readonly clientKey: string
  readonly signal: AbortSignal
  /** Told now and then how many bytes of the archive were read. */
  readonly onProgress?: (read: number) => void
}

export interface Unpacker {
  readonly limits: UnpackLimits
  /**
   * The entries of an archive in their order. Fails with `archive-refused`, also in the middle: what came before is not to be trusted then.
   */
  entries(file: OpenFile, order: Order, options: ReadOptions): AsyncGenerator<Entry, void>
}

type OpenFile = Awaited<ReturnType<Drive['open']>>

const AT_ONCE = 4
const AT_ONCE_EACH = 3
/** Between the end of a program’s output and its own. */
const FAREWELL_MS = 5000
const MAX_CHUNK_BYTES = 16 * 1024 ** 2

/** Archives are read by a program of its own, which sees that one file and nothing else. */
export function createUnpacker({ sandbox, limits = UNPACK_LIMITS }: { sandbox: Sandbox; limits?: UnpackLimits }): Unpacker {
  const inTurn = createFairQueue({ atOnce: AT_ONCE, each: AT_ONCE_EACH })

  async function* entries(file: OpenFile, order: Order, options: ReadOptions): AsyncGenerator<Entry, void> {
    await using turn = await takeTurn(inTurn, options)
    void turn
    await using held = await holdFile(file)
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, options.signal])
    const program = await startProgram(sandbox, {
      ...sandboxedProgram('unpack-program'),
      input: held.descriptor,
      limits: { wallMs: limits.wallMs, cpuSeconds: limits.wallMs / 1000, fileSizeBytes: 0 },
      signal,
    })
    void drain(program.stderr)
    try {
      await program.write(headBytes(order))
      program.endInput()
      yield* told(readFrames(program.stdout), { order, size: file.stat.size, limits, options, ended: program.ended })
    } catch (error) {
      options.signal.throwIfAborted()
      stop.abort()
      if ((await program.ended).ended === 'too-long') refuse('time')
      throw error
    } finally {
      stop.abort()
      await program.ended
    }
  }

  return { limits, entries }
}

interface Telling {
  readonly order: Order
  /** Of the archive. */
  readonly size: number
  readonly limits: UnpackLimits
  readonly options: ReadOptions
  readonly ended: Running['ended']
}

async function* told(frames: FrameReader, { order, size, limits, options, ended }: Telling): AsyncGenerator<Entry, void> {
  let total = 0
  let nameChars = 0
  /** It says nothing more. How it ended tells whether that is the archive's fault. */
  const fell = async (): Promise<never> => {
    const ending = await within(ended, FAREWELL_MS)
    if (ending?.ended === 'too-long') refuse('time')
    return refuse(ending !== null && wasKilled(ending) ? 'stopped' : 'damaged')
  }
  const next = async (): Promise<Message> => {
    const head = await frames.head().catch(() => null)
    if (head === null) return fell()
    const message = parseMessage(head)
    if ('problem' in message) refuse(message.problem)
    return message
  }

  async function* content(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const message = await next()
      if ('end' in message) return
      if (!('chunk' in message)) refuse('damaged')
      total += message.chunk
      if (total > limits.bytes) refuse('size')
      if (total > limits.freeBytes && total > size * limits.ratio) refuse('ratio')
      options.onProgress?.(Math.min(size, message.read))
      yield await frames.body(message.chunk).catch(fell)
    }
  }

  for (let index = 0; ; index++) {
    const message = await next()
    if ('over' in message) return
    if (!('entry' in message)) refuse('damaged')
    nameChars += message.entry.name.length
    if (index >= limits.entries || nameChars > limits.nameChars) refuse('entries')
    const isRead = order.what === 'read' && (order.only === null || order.only === index)
    const bytes = isRead ? content() : none()
    yield { index, head: message.entry, bytes }
    for await (const _ of bytes) void _
  }
}

async function* none(): AsyncGenerator<Uint8Array, void> {}

function refuse(reason: ArchiveProblem): never {
  return fail('archive-refused', { reason })
}

const KINDS: readonly EntryKind[] = ['file', 'folder', 'link', 'special']
const PROBLEMS: readonly Problem[] = ['unknown', 'damaged', 'encrypted', 'overlapping']

/** The program has seen hostile bytes: what it says is checked like anybody's word. */
function parseMessage(message: unknown): Message {
  const { entry, chunk, read, end, over, problem } = asRecord(message)
  if (entry !== undefined) return { entry: parseHead(asRecord(entry)) }
  if (isCount(chunk) && chunk <= MAX_CHUNK_BYTES && isCount(read)) return { chunk, read }
  if (end === true) return { end }
  if (over === true) return { over }
  return { problem: PROBLEMS.find((one) => one === problem) ?? 'damaged' }
}

function parseHead({ name, kind, size, modified }: Record<string, unknown>): EntryHead {
  return {
    name: typeof name === 'string' ? name : '',
    kind: KINDS.find((one) => one === kind) ?? 'special',
    size: isCount(size) ? size : null,
    modified: typeof modified === 'number' && Number.isFinite(modified) ? modified : null,
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** A place among those that are read at the same time, until it is given back. */
async function takeTurn(inTurn: FairQueue, { clientKey, signal }: ReadOptions): Promise<AsyncDisposable> {
  const mine = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    begun.resolve()
    await mine.promise
  }
  inTurn(clientKey, work, { signal }).catch(begun.reject)
  await begun.promise
  return { [Symbol.asyncDispose]: async () => mine.resolve() }
}
