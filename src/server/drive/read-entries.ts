import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, nameOf, segmentProblem } from '../../shared/file-path.ts'
import { type Columns, type ListOptions, type NodeHandle, type Stat, type Watch, kindOf, pickRows } from '../storage/storage.ts'
import type { Children, Entry } from './entry.ts'
import { periodicYield } from './checkpoint.ts'
import { below, type DriveContext, type FoundPath, type ResolvedPath, withErrorPath } from './context.ts'
import { rightsOfPlace } from './rights.ts'

/** Links of one folder that are resolved in parallel. */
const LOOK_UPS = 16
/** Names checked against rules between two yields. */
const NAMES_AT_ONCE = 256

export async function entryAt(context: DriveContext, path: FilePath): Promise<Entry> {
  using found = await context.find(path, 'keep')
  const stat = found.stat ?? fail('not-found', { path })
  return stat.kind === 'link' ? await linkEntry(context, path, stat) : { path, name: nameOf(path), stat, target: null }
}

/** A link as the viewer may see it: nothing about a target that is outside or hidden. */
export async function linkEntry<S extends Omit<Stat, 'identity'>>(
  context: DriveContext,
  path: FilePath,
  stat: S,
): Promise<Omit<Entry, 'stat'> & { stat: S | Stat }> {
  const link = { path, name: nameOf(path), stat }
  using target = await targetOf(context, path)
  if (target === null) return { ...link, target: 'outside' }
  return target.stat === null ? { ...link, target: 'missing' } : { ...link, stat: target.stat, target: 'inside' }
}

/** The target of a link; null if the viewer may not see it. */
export async function targetOf(context: DriveContext, path: FilePath): Promise<FoundPath | null> {
  return await nullOn('not-found', context.locate(path, 'follow'))
}

export async function listFolder(
  context: DriveContext,
  path: FilePath,
  { signal, onNames, identities = false }: ListOptions = {},
): Promise<Children> {
  using folder = await context.find(path, 'follow')
  // Checking every name takes longer than early names would save.
  const early = context.access.rules.empty ? onNames : undefined
  const listed = await withErrorPath(path, context.storage.list(folder.handle, { signal, onNames: early, identities }))
  const columns = await visibleIn(context, folder, listed, signal)
  return { ...columns, linked: await linksIn(context, folder, columns, signal) }
}

export async function watchFolder(context: DriveContext, path: FilePath, onChange: () => void): Promise<Watch | null> {
  using folder = await context.find(path, 'follow')
  // Uses the access as of the last renewal; the watcher renews it from time to time.
  const isShown = (name: string): boolean => name === '' || context.verdict(below(folder, name)) === 'shown'
  return await withErrorPath(
    path,
    context.storage.watch(folder.handle, (name) => void (isShown(name) && onChange())),
  )
}

/** Reads several names of one folder. A name that the viewer may not see or download is replaced by one that does not exist. */
export async function withReadable<T>(
  context: DriveContext,
  path: FilePath,
  names: readonly string[],
  read: (folder: NodeHandle, names: readonly string[]) => Promise<T>,
): Promise<T> {
  using folder = await context.find(path, 'follow')
  const isReadable = (place: ResolvedPath): boolean => context.verdict(place) === 'shown' && rightsOfPlace(context, place).download
  const isShown = (name: string): boolean => segmentProblem(name) === null && isReadable(below(folder, name))
  const { rules } = context.access
  // The folder itself may be behind a link.
  const isPlain = rules.empty && rules.grants.isUniform
  const shown = isPlain ? names : names.map((name) => (isShown(name) ? name : NO_NAME))
  return await withErrorPath(path, read(folder.handle, shown))
}

/** No node has this name. */
const NO_NAME = ''

/** The rows of a folder that its viewer may see. */
async function visibleIn(context: DriveContext, folder: ResolvedPath, columns: Columns, signal?: AbortSignal): Promise<Columns> {
  if (context.access.rules.empty) return columns
  const pause = periodicYield(signal)
  const shown: number[] = []
  for (const row of columns.names.keys()) {
    if (row % NAMES_AT_ONCE === 0) await pause()
    if (context.verdict(below(folder, columns.names.at(row) ?? '')) === 'shown') shown.push(row)
  }
  if (shown.length === columns.names.length) return columns
  return pickRows(columns, shown)
}

async function linksIn(
  context: DriveContext,
  folder: ResolvedPath,
  { names, modes }: Columns,
  signal?: AbortSignal,
): Promise<Map<number, Entry>> {
  const links: number[] = []
  for (let index = 0; index < modes.length; index++) if (kindOf(modes[index] ?? 0) === 'link') links.push(index)
  const linked = new Map<number, Entry>()
  for (let at = 0; at < links.length; at += LOOK_UPS) {
    signal?.throwIfAborted()
    const some = links.slice(at, at + LOOK_UPS)
    const entries = await Promise.all(some.map((index) => currentEntry(context, below(folder, names.at(index) ?? ''))))
    for (const [i, index] of some.entries()) {
      const entry = entries[i]
      if (entry) linked.set(index, entry)
    }
  }
  return linked
}

/** Null if it has disappeared since it was listed. */
async function currentEntry(context: DriveContext, { path, node }: ResolvedPath): Promise<Entry | null> {
  const stat = await context.storage.stat(node)
  return stat && linkEntry(context, path, stat)
}
