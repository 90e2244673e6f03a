import { fail } from '../../../shared/errors.ts'
import type { AppendOptions } from '../storage.ts'
import type { S3Multipart, S3Part } from './multipart.ts'
import type { S3Limits } from './options.ts'
import { bytesIn, partLength, type Staged } from './staged-state.ts'
import type { Tails } from './tails.ts'

interface WriterDeps {
  readonly multipart: S3Multipart
  readonly tails: Tails
  readonly limits: S3Limits
  readonly key: string
}

/** Takes the bytes of one append: full parts are sent, a few at the same time, and the rest is the tail on the disk. */
export interface PartWriter {
  /** Resolves when there is room for more. */
  add(bytes: Uint8Array): Promise<void>
  /** All bytes taken so far. */
  size(): number
  /** Makes all of them durable. @returns their size */
  confirm(): Promise<number>
  /** Keeps all of them, also those of a part that the service did not take; that failure is thrown then. */
  finish(options: { durable: boolean }): Promise<void>
  /** Somebody else has taken the bytes over. */
  evict(): void
}

/** Larger parts are sent one at a time, because each is held in memory. */
const LARGE_PART_BYTES = 64 * 1024 ** 2

interface Sending {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sent: Promise<S3Part | null>
}

export function createPartWriter(
  { multipart, tails, limits, key }: WriterDeps,
  { id, staged, start }: { id: string; staged: Staged; start: Uint8Array },
  { mayWrite, onDurable, announced = 0 }: Pick<AppendOptions, 'mayWrite' | 'onDurable' | 'announced'>,
): PartWriter {
  let chunks: Uint8Array[] = start.length > 0 ? [start] : []
  let waiting = start.length
  /** How much of what waits is on the disk. */
  let saved = start.length
  let isSynced = false
  const sending: Sending[] = []
  let total = bytesIn(staged.parts) + start.length
  let failure: unknown = null
  let isEvicted = false
  /** Parts and tails are written one after the other, for all callers. */
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }

  function permit(): void {
    if (isEvicted) fail('busy', {})
    mayWrite?.()
  }

  const nextNumber = (): number => staged.parts.length + sending.length + 1
  const lengthOfNext = (): number =>
    partLength(nextNumber(), { first: staged.parts[0]?.size ?? sending[0]?.bytes.length, partBytes: limits.partBytes, announced })

  /** Takes the first bytes of those that wait. */
  function take(length: number): Uint8Array<ArrayBuffer> {
    const whole = Buffer.concat(chunks)
    chunks = whole.length > length ? [whole.subarray(length)] : []
    waiting = whole.length - length
    saved = 0
    return whole.subarray(0, length)
  }

  /** Waits for the first of the parts that are being sent. After a failure its bytes wait again, as those of the parts behind it. */
  async function settleFirst(): Promise<void> {
    const [first] = sending
    if (first === undefined) return
    const part = await first.sent
    if (part !== null) {
      sending.shift()
      staged.parts.push(part)
      if (sending.length === 0 && !isEvicted) onDurable?.(bytesIn(staged.parts))
      return
    }
    await Promise.all(sending.map(({ sent }) => sent))
    const back = sending.splice(0).map(({ bytes }) => bytes)
    chunks = [...back, ...chunks]
    waiting += back.reduce((sum, { length }) => sum + length, 0)
    saved = 0
    throw failure
  }

  async function sendFull(): Promise<void> {
    while (waiting >= lengthOfNext()) {
      if (failure !== null) return
      permit()
      const length = lengthOfNext()
      staged.upload ??= await multipart.begin(key)
      const { upload } = staged
      const most = length > LARGE_PART_BYTES ? 1 : limits.parallelParts
      while (sending.length >= most) await settleFirst()
      const number = nextNumber()
      const bytes = take(length)
      const sent = multipart.sendPart(upload, number, bytes).catch((error: unknown) => {
        failure ??= error
        return null
      })
      sending.push({ bytes, sent })
    }
  }

  async function save({ durable }: { durable: boolean }): Promise<void> {
    while (sending.length > 0) await settleFirst()
    permit()
    // More may be added during the calls.
    const whole = Buffer.concat(chunks)
    if (whole.length === 0) await tails.drop(id)
    else if (saved === 0 || !durable) await tails.write(id, bytesIn(staged.parts), whole, { durable })
    else if (saved < whole.length || !isSynced) await tails.extend(id, saved, whole.subarray(saved))
    saved = whole.length
    isSynced = durable
  }

  return {
    async add(bytes) {
      if (failure !== null) throw failure
      chunks.push(bytes)
      waiting += bytes.length
      total += bytes.length
      if (waiting >= lengthOfNext()) await inTurn(sendFull)
    },
    size: () => total,
    confirm: () =>
      inTurn(async () => {
        await save({ durable: true })
        const size = bytesIn(staged.parts) + saved
        onDurable?.(size)
        return size
      }),
    finish: ({ durable }) =>
      inTurn(async () => {
        await save({ durable }).catch(async (error: unknown) => {
          if (failure === null || isEvicted) throw error
          await save({ durable: true })
        })
        if (durable || failure !== null) onDurable?.(bytesIn(staged.parts) + saved)
        if (failure !== null) throw failure
      }),
    evict: () => void (isEvicted = true),
  }
}
