import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { orderByBytes } from '../../shared/byte-order.ts'
import { type Columns, type NodeKind, type Stat, kindOf } from '../storage/storage.ts'
import type { ListedEntry, WalkedEntry, WalkOptions } from './entry.ts'
import { linkEntry } from './read-entries.ts'
import { checkpointFor } from './checkpoint.ts'
import { below, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'

/** A child as the listing of its folder describes it. */
export interface Child {
  readonly place: ResolvedPath
  readonly name: string
  readonly kind: NodeKind
  readonly stat: Omit<Stat, 'identity'>
}

export async function* walkBelow(context: DriveContext, path: FilePath, options: WalkOptions = {}): AsyncGenerator<WalkedEntry, void> {
  const { signal, wants, enters } = options
  const checkpoint = checkpointFor(context, { signal })
  const asks = (index: number, { columns }: Level): boolean => wants?.(listedAt(columns, index)) ?? true
  using start = await context.find(path, 'follow')
  // The listings of the current folder and its parents.
  const levels = [await levelIn(start, await withErrorPath(path, context.storage.list(start.handle, { signal })), checkpoint)]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    await checkpoint()
    const index = level.order.next()
    if (index.done === true) {
      levels.pop()
      continue
    }
    // If nothing can be hidden, the path of an unwanted node need not be computed.
    const seesAll = context.access.rules.empty
    const isFolder = kindOf(level.columns.modes[index.value] ?? 0) === 'folder'
    let wanted = seesAll && asks(index.value, level)
    if (seesAll && !wanted && !isFolder) continue
    const { place, name, kind, stat } = childAt(level.folder, level.columns, index.value)
    if (!seesAll) {
      if (context.verdict(place) !== 'shown') continue
      wanted = asks(index.value, level)
    }
    if (wanted && kind === 'link') yield await linkEntry(context, place.path, stat)
    else if (wanted) yield { path: place.path, name, stat, target: null }
    if (!isFolder || enters?.(levels.length + 1) === false) continue
    const columns = await readable(context, place, signal)
    if (columns !== null) levels.push(await levelIn(place, columns, checkpoint))
  }
}

/** All children of a folder, visible or not, in the order of the disk. */
export function* childrenIn(folder: ResolvedPath, columns: Columns): Generator<Child, void> {
  for (const index of columns.names.keys()) yield childAt(folder, columns, index)
}

interface Level {
  readonly folder: ResolvedPath
  readonly columns: Columns
  readonly order: Iterator<number>
}

async function levelIn(folder: ResolvedPath, columns: Columns, checkpoint: () => Promise<void>): Promise<Level> {
  return { folder, columns, order: await orderByBytes(columns.names, checkpoint) }
}

/** Null if the folder is gone or not readable; also if its disk is not connected, unless the result must be complete. */
async function readable(context: DriveContext, { node }: ResolvedPath, signal?: AbortSignal): Promise<Columns | null> {
  try {
    return await context.storage.list(node, { signal })
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    if (context.began === null && isAppError(error, 'storage-busy') && error.detail.away === true) return null
    throw error
  }
}

function childAt(folder: ResolvedPath, columns: Columns, index: number): Child {
  const { name, kind, size, modified } = listedAt(columns, index)
  return { place: below(folder, name), name, kind, stat: { kind, size, modified, mode: columns.modes[index] ?? 0 } }
}

function listedAt({ names, sizes, modified, modes }: Columns, index: number): ListedEntry {
  return { name: names.at(index) ?? '', kind: kindOf(modes[index] ?? 0), size: sizes[index] ?? 0, modified: modified[index] ?? 0 }
}
