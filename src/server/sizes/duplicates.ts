import type { DuplicatesLine } from '../../shared/contract/sizes.ts'
import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { checksum } from '../drive/checksum.ts'
import type { Drive } from '../drive/drive.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { visibleBelow } from './visible-below.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>
type KeyOf = (file: OpenFile, path: FilePath) => Promise<string | null>

export interface DuplicateLimits {
  /** Maximum number of compared files, the largest first. */
  readonly files: number
  readonly ms: number
  readonly leastBytes: number
}

export const DUPLICATE_LIMITS: DuplicateLimits = { files: 20_000, ms: 15 * 60_000, leastBytes: 4096 }

export interface DuplicatesTask {
  readonly subtree: SubtreeView
  /** The current Drive, with the right to download; null if that has ended. */
  readonly drive: () => Promise<Drive | null>
  readonly signal: AbortSignal
  readonly limits?: DuplicateLimits
}

/**
 * Files below a folder with identical content, the largest first: of the same size in the index, then with the same beginning and end, then with the
 * same SHA-256. Everything is read through the Drive, one file at a time; files that cannot be read are skipped, and hard links to one node are one
 * file.
 */
export async function* duplicatesBelow(index: TreeIndex, task: DuplicatesTask): AsyncGenerator<DuplicatesLine, void> {
  const { limits = DUPLICATE_LIMITS } = task
  const late = AbortSignal.timeout(limits.ms)
  try {
    yield* compareBelow(index, { ...task, limits, signal: AbortSignal.any([task.signal, late]) })
  } catch (error) {
    if (!late.aborted || task.signal.aborted) throw error
    yield { end: true, cut: 'time' }
  }
}

async function* compareBelow(
  index: TreeIndex,
  { subtree, drive, signal, limits }: Required<DuplicatesTask>,
): AsyncGenerator<DuplicatesLine, void> {
  const found = await candidates(index, { subtree, signal, limits })
  if (found === null) return yield { end: true, cut: 'unknown' }
  const of = found.groups.reduce((sum, { paths }) => sum + paths.length, 0)
  let compared = 0
  yield { compared, of }
  for (const { size, paths } of found.groups) {
    signal.throwIfAborted()
    const now = await drive()
    if (now === null) return
    for (const same of await sameContent(now, paths, { size, signal })) yield { size, ...same }
    compared += paths.length
    yield { compared, of }
  }
  yield { end: true, cut: found.all ? null : 'files' }
}

interface Candidates {
  /** Files of one size, the largest first, by the viewer's paths. */
  readonly groups: readonly { readonly size: number; readonly paths: readonly FilePath[] }[]
  readonly all: boolean
}

/** Counts sizes first and collects paths afterwards, so that a million files of unique sizes need no memory. */
async function candidates(
  index: TreeIndex,
  { subtree, signal, limits }: Pick<Required<DuplicatesTask>, 'subtree' | 'signal' | 'limits'>,
): Promise<Candidates | null> {
  const counts = new Map<number, number>()
  const first = await visibleBelow(index, subtree, { signal })
  if (first === null) return null
  const repeated: number[] = []
  for await (const { kind, size } of first) {
    if (kind !== 'file' || size < limits.leastBytes) continue
    const count = (counts.get(size) ?? 0) + 1
    counts.set(size, count)
    if (count === 2) repeated.push(size)
  }
  const groups = new Map<number, FilePath[]>()
  let room = limits.files
  // A typed array is sorted fast, whatever its length.
  for (const size of Float64Array.from(repeated).sort().reverse()) {
    const count = counts.get(size) ?? 0
    if (count > room) continue
    room -= count
    groups.set(size, [])
  }
  const second = await visibleBelow(index, subtree, { signal })
  if (second === null) return null
  for await (const { kind, size, path } of second) if (kind === 'file') groups.get(size)?.push(subtree.pathOf(path))
  return { groups: [...groups].map(([size, paths]) => ({ size, paths: paths.sort() })), all: groups.size === repeated.length }
}

async function sameContent(
  drive: Drive,
  paths: readonly FilePath[],
  { size, signal }: { size: number; signal: AbortSignal },
): Promise<{ paths: FilePath[]; modified: number[] }[]> {
  const seen = new Set<string>()
  const times = new Map<FilePath, number>()
  const alike = await grouped(drive, paths, async (file, path) => {
    signal.throwIfAborted()
    const { identity, modified } = file.stat
    times.set(path, modified)
    if (file.stat.size !== size || seen.has(identity)) return null
    seen.add(identity)
    return edgesOf(file)
  })
  const same: FilePath[][] = []
  for (const some of alike) same.push(...(await grouped(drive, some, (file) => checksum(file, 'sha256', { signal }))))
  return same.map((some) => ({ paths: some, modified: some.map((path) => times.get(path) ?? 0) }))
}

/** Groups paths by `keyOf` their files; paths without a match are dropped. */
async function grouped(drive: Drive, paths: readonly FilePath[], keyOf: KeyOf): Promise<FilePath[][]> {
  const groups = new Map<string, FilePath[]>()
  for (const path of paths) {
    const key = await readable(drive, path, keyOf)
    if (key === null) continue
    const alike = groups.get(key)
    if (alike === undefined) groups.set(key, [path])
    else alike.push(path)
  }
  return [...groups.values()].filter((some) => some.length > 1)
}

/** Null for a file that cannot be read: it has gone, or access was denied. */
async function readable(drive: Drive, path: FilePath, keyOf: KeyOf): Promise<string | null> {
  try {
    await using file = await drive.open(path)
    return await keyOf(file, path)
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden') || isAppError(error, 'invalid-input')) return null
    throw error
  }
}

const EDGE_BYTES = 16 * 1024

async function edgesOf(file: OpenFile): Promise<string> {
  const { size } = file.stat
  const hasher = new Bun.CryptoHasher('sha256')
  hasher.update(await file.peek(0, Math.min(size, EDGE_BYTES)))
  if (size > EDGE_BYTES) hasher.update(await file.peek(Math.max(EDGE_BYTES, size - EDGE_BYTES), EDGE_BYTES))
  return hasher.digest('hex')
}
