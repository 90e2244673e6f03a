import { fail, type ArchiveProblem } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import type { Drive } from '../drive/drive.ts'
import { sandboxedProgram } from '../entries/entries.ts'
import { type FrameReader, headBytes, readFrames } from '../programs/frames.ts'
import { startProgram, drain } from '../programs/start-program.ts'
import { within } from '../../shared/within.ts'
import { type Running, type Sandbox, wasKilled } from '../sandbox/sandbox.ts'
import { holdFile } from './held-file.ts'
import type { EntryHead, EntryKind, Message, Order, Problem } from './protocol.ts'

/** An entry of an archive that is being read; its head is untrusted. */
export interface Entry {
  readonly index: number
  readonly head: EntryHead
  /** Empty if it was not requested. Read or ignore it before the next entry. */
  readonly bytes: AsyncGenerator<Uint8Array, void>
}

export interface ReadOptions {
  /** Identifies the client, so that none takes all slots. */
  readonly clientKey: string
  readonly signal: AbortSignal
  /** Called now and then with the number of archive bytes read. */
  readonly onProgress?: (read: number) => void
}

export type Unpacker = ReturnType<typeof createUnpacker>

type OpenFile = Awaited<ReturnType<Drive['open']>>

const AT_ONCE = 4
const AT_ONCE_EACH = 3
/** Between the end of a program's output and its exit. */
const FAREWELL_MS = 5000
const MAX_CHUNK_BYTES = 16 * 1024 ** 2

/** Reads archives by a program of its own, which sees only that file. */
export function createUnpacker({ sandbox, limits = UNPACK_LIMITS }: { sandbox: Sandbox; limits?: UnpackLimits }) {
  const slots = createSemaphore({ slots: AT_ONCE, each: AT_ONCE_EACH })

  async function* entries(file: OpenFile, order: Order, options: ReadOptions): AsyncGenerator<Entry, void> {
    using _ = { [Symbol.dispose]: await slots.acquire(options.clientKey, options) }
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

  return {
    limits,
    /** The entries of an archive in order. Fails with `archive-refused`, possibly midway: entries before are then not to be trusted. */
    entries,
  }
}

interface Telling {
  readonly order: Order
  readonly size: number
  readonly limits: UnpackLimits
  readonly options: ReadOptions
  readonly ended: Running['ended']
}

async function* told(frames: FrameReader, { order, size, limits, options, ended }: Telling): AsyncGenerator<Entry, void> {
  let total = 0
  let nameChars = 0
  /** No more messages. Its exit tells whether the archive is the reason. */
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

/** The program has read untrusted bytes, so its messages are validated like any input. */
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

/** Limits of an archive: whatever exceeds them is a bomb, or too much for one extraction. */
export interface UnpackLimits {
  readonly entries: number
  /** Bytes of all contents together. */
  readonly bytes: number
  /** Ratio of extracted bytes to archive bytes, beyond `freeBytes`. */
  readonly ratio: number
  readonly freeBytes: number
  /** Characters of all names together: a small archive can contain endless names. */
  readonly nameChars: number
  readonly wallMs: number
}

export const UNPACK_LIMITS: UnpackLimits = {
  entries: 500_000,
  bytes: 256 * 1024 ** 3,
  ratio: 200,
  freeBytes: 1024 ** 3,
  nameChars: 64 * 1024 ** 2,
  wallMs: 6 * 3600_000,
}

/** Maximum number of lines in a listing for people. */
export const MOST_LISTED = 50_000
