import { isAppError } from '../../shared/errors.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import { type AppendOptions, type CommitOptions, pathOf, type StagedFile, type Stat, type Storage, type Where } from '../storage/storage.ts'
import { type Accounting, partsOf } from './accounting.ts'
import { measureNode } from './measure.ts'
import type { QuotaMap, QuotaMaps } from './quota-map.ts'

/** Of bytes whose number nobody announced, so many are reserved at once, */
const STEP_BYTES = 4 * 1024 * 1024
/** and a file that is this short is published a moment later. */
const SHORT_BYTES = 4 * 1024 * 1024

/** Of what visitors announced, as much as has arrived is reserved ahead, but not less and not more than this. */
const LEAST_AHEAD_BYTES = 64 * 1024
const MOST_AHEAD_BYTES = 4 * 1024 * 1024

/** Receives what is at a path, and whether that may be replaced: if nothing is there, nothing that appears. */
export type Replace<T> = (old: Stat | null, options: { readonly replace: boolean }) => Promise<T>

/** The quotas that limit what somebody adds at a path. */
export interface Limits {
  readonly limiting: readonly string[]
  /** Those of them whose numbers they do not learn. */
  readonly hidden: readonly string[]
}

export type LimitsAt = (map: QuotaMap, path: FilePath) => Limits

export interface CountedDeps {
  readonly storage: Storage
  readonly limitsAt: LimitsAt
  /** A visitor of a link may announce what they never send: only what arrives is reserved. */
  readonly isVisitor: boolean
  readonly maps: QuotaMaps
  readonly accounting: Accounting
  /** Counts quotas anew of which nobody knows what they hold. */
  readonly spoiled: (subjects: readonly string[]) => Promise<void>
}

interface StagingDeps extends CountedDeps {
  readonly replacing: <T>(path: FilePath, options: { readonly replace: boolean }, run: Replace<T>) => Promise<T>
  readonly isNotDone: (error: unknown) => boolean
}

/** A staged file that reserves room before it takes bytes, and is counted when it is published. */
export function countedStaging(deps: StagingDeps, staged: StagedFile, options: Parameters<Storage['stage']>[1]): StagedFile {
  const { storage, maps, accounting, limitsAt, replacing, isNotDone } = deps
  const near = pathOf(options.near)
  const { from } = options
  const id = uploadOf(staged.id)
  /** What this object has reserved; null if nothing. What was announced is reserved already. */
  let reserved: { bytes: number; files: number; isShort: boolean } | null = null
  let isAnnounced = false
  let old: Promise<{ bytes: number; files: number }> | null = null

  /** What lies where the file is going to be counts no more when it is replaced. */
  const replaced = () => (old ??= near === ROOT ? Promise.resolve({ bytes: 0, files: 0 }) : existing())

  async function existing() {
    const stat = await storage.stat(near)
    return stat?.kind === 'file' ? { bytes: stat.size, files: 1 } : { bytes: 0, files: 0 }
  }

  const concernedAt = (map: QuotaMap, path: FilePath) => ({ ...limitsAt(map, path), counting: map.at(path) })

  async function reserve(size: number, { isShort }: { isShort: boolean }): Promise<void> {
    const map = await maps.read()
    const concerned = concernedAt(map, near)
    if (concerned.limiting.length + concerned.counting.length === 0) return
    const before = await replaced()
    const amount = { bytes: Math.max(0, size - before.bytes), files: 1 - before.files }
    if (reserved !== null && amount.bytes <= reserved.bytes) return
    const replaces = before.files === 0 ? undefined : { path: near, ...before }
    await accounting.begin(id, partsOf(concerned, { bytes: size, files: 1 }), { isPublishing: isShort, from, replaces })
    reserved = { ...amount, isShort }
  }

  /** Reserves more than is needed now, if there is room for it. */
  async function reserveAhead(size: number): Promise<void> {
    if (reserved !== null && size - (await replaced()).bytes <= reserved.bytes) return
    const ahead = Math.max(STEP_BYTES, size)
    try {
      await reserve(size + ahead, { isShort: false })
    } catch (error) {
      if (!isAppError(error, 'quota-exceeded') && !isAppError(error, 'storage-full')) throw error
      await reserve(size, { isShort: false })
    }
  }

  async function append(bytes: ReadableStream<Uint8Array> | Uint8Array, how: AppendOptions = {}): Promise<number> {
    // An upload that was announced, with its whole length.
    isAnnounced ||= how.whole !== undefined
    if (deps.isVisitor && how.whole !== undefined) return appendOfVisitor(bytes, { ...how, whole: how.whole })
    if (isAnnounced || (await maps.read()).isEmpty) return staged.append(bytes, how)
    const at = how.at ?? (await staged.size())
    if (bytes instanceof Uint8Array) {
      if (at === 0) await reserve(bytes.length, { isShort: bytes.length <= SHORT_BYTES })
      else await reserveAhead(at + bytes.length)
      return staged.append(bytes, how)
    }
    const announced = how.announced ?? options.announced
    if (announced !== undefined) {
      await reserve(at + announced, { isShort: at + announced <= SHORT_BYTES })
      return staged.append(bytes, how)
    }
    let arrived = at
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        arrived += chunk.length
        await reserveAhead(arrived)
        controller.enqueue(chunk)
      },
    })
    return staged.append(bytes.pipeThrough(counting), how)
  }

  /** Reserves as the bytes arrive; in the end what is staged. */
  async function appendOfVisitor(
    bytes: ReadableStream<Uint8Array> | Uint8Array,
    how: AppendOptions & { readonly whole: number },
  ): Promise<number> {
    const concerned = concernedAt(await maps.read(), near)
    if (concerned.limiting.length + concerned.counting.length === 0) return staged.append(bytes, how)
    let arrived = how.at ?? (await staged.size())
    let held = 0
    async function hold(size: number): Promise<void> {
      if (size <= held) return
      const ahead = Math.min(MOST_AHEAD_BYTES, Math.max(LEAST_AHEAD_BYTES, size))
      held = Math.min(Math.max(how.whole, size), size + ahead)
      await accounting.reserveUpload(id, partsOf(concerned, { bytes: held, files: 1 }))
    }
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        arrived += chunk.length
        await hold(arrived)
        controller.enqueue(chunk)
      },
    })
    try {
      if (!(bytes instanceof Uint8Array)) return await staged.append(bytes.pipeThrough(counting), how)
      await hold(arrived + bytes.length)
      return await staged.append(bytes, how)
    } finally {
      const size = await staged.size()
      const left = { bytes: size, files: size === 0 ? 0 : 1 }
      await accounting.reserveUpload(id, partsOf({ limiting: [], counting: [...concerned.limiting, ...concerned.counting] }, left))
    }
  }

  async function commit(where: Where, how: CommitOptions): Promise<Stat> {
    const map = await maps.read()
    const path = pathOf(where)
    const concerned = concernedAt(map, path)
    if (reserved === null && concerned.limiting.length + concerned.counting.length === 0) return staged.commit(where, how)
    return replacing(path, how, async (present, { replace }) => {
      const size = await staged.size()
      const gone = present?.kind === 'file' ? present.size : 0
      const amount = { bytes: size - gone, files: present === null ? 1 : 0 }
      const parts = partsOf(concerned, amount)
      if (!isCovered(path, amount)) await accounting.begin(id, parts, { isPublishing: true, from })
      let stat: Stat
      try {
        stat = await staged.commit(where, { ...how, replace })
      } catch (error) {
        if (isAnnounced || reserved === null) await accounting.wait(id)
        if (!isNotDone(error)) await deps.spoiled(concerned.counting)
        throw error
      }
      reserved = null
      accounting.settle(id, parts)
      return stat
    })
  }

  /** Whether what is reserved says already that the file is about to be published there. */
  function isCovered(path: FilePath, amount: { bytes: number; files: number }): boolean {
    if (reserved?.isShort !== true || parentOf(path) !== parentOf(near)) return false
    return amount.bytes <= reserved.bytes && amount.files <= reserved.files
  }

  return {
    ...staged,
    append,
    commit,
    async copyFrom(where, how) {
      if (!(await maps.read()).isEmpty) {
        const { bytes } = await measureNode(storage, pathOf(where))
        await reserve(bytes, { isShort: bytes <= SHORT_BYTES })
      }
      return staged.copyFrom(where, how)
    },
    async discard() {
      await staged.discard()
      if (reserved === null) return
      reserved = null
      accounting.release(id)
    },
  }
}

/** Each writer of an upload stages under a name of its own, which begins with the id of the upload. */
function uploadOf(staged: string): string {
  return staged.slice(0, UUID_LENGTH)
}

const UUID_LENGTH = 36
