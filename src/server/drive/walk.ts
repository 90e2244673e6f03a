import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Names } from '../../shared/packed-names.ts'
import type { Columns, NodeKind, Stat } from '../storage/storage.ts'
import type { Listed, Walked, WalkOptions } from './drive.ts'
import { linkEntry } from './entries.ts'
import { kindOf } from './kind.ts'
import { steppingFor } from './pause.ts'
import { below, type DriveContext, type ResolvedPath, seenAs } from './context.ts'

/** A node as its folder's listing tells of it. */
export interface Child {
  readonly place: ResolvedPath
  readonly name: string
  readonly kind: NodeKind
  readonly stat: Omit<Stat, 'identity'>
}

export async function* walkBelow(context: DriveContext, path: FilePath, options: WalkOptions = {}): AsyncGenerator<Walked, void> {
  const { signal, wants, enters } = options
  const turn = steppingFor(context, { signal })
  const asks = (index: number, { columns }: Level): boolean => wants?.(listedAt(columns, index)) ?? true
  using start = await context.find(path, 'follow')
  // One listing for each level that it is in.
  const levels = [await levelIn(start, await seenAs(path, context.storage.list(start.handle, { signal })), turn)]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    await turn()
    const index = level.order.next()
    if (index.done === true) {
      levels.pop()
      continue
    }
    // Where nothing is ever hidden, a node that nobody wants need not even be placed.
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
    if (columns !== null) levels.push(await levelIn(place, columns, turn))
  }
}

/** The children of a folder, visible or not, as the disk has them. */
export function* childrenIn(folder: ResolvedPath, columns: Columns): Generator<Child, void> {
  for (const index of columns.names.keys()) yield childAt(folder, columns, index)
}

interface Level {
  readonly folder: ResolvedPath
  readonly columns: Columns
  readonly order: Iterator<number>
}

async function levelIn(folder: ResolvedPath, columns: Columns, turn: () => Promise<void>): Promise<Level> {
  return { folder, columns, order: await orderByName(columns.names, turn) }
}

/** Null for a folder that is gone or may not be read. */
async function readable(context: DriveContext, { node }: ResolvedPath, signal?: AbortSignal): Promise<Columns | null> {
  try {
    return await context.storage.list(node, { signal })
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    throw error
  }
}

function childAt(folder: ResolvedPath, columns: Columns, index: number): Child {
  const { name, kind, size, modified } = listedAt(columns, index)
  return { place: below(folder, name), name, kind, stat: { kind, size, modified, mode: columns.modes[index] ?? 0 } }
}

function listedAt({ names, sizes, modified, modes }: Columns, index: number): Listed {
  return { name: names.at(index) ?? '', kind: kindOf(modes[index] ?? 0), size: sizes[index] ?? 0, modified: modified[index] ?? 0 }
}

/** Names that are sorted at once: about 3 ms. */
const RUN_NAMES = 4096

/** The indices in the order of the names. Sorted in runs with a turn for others between them, and merged while they are read. */
async function orderByName(packed: Names, turn: () => Promise<void>): Promise<Iterator<number>> {
  // Each is asked for many times.
  const names = [...packed]
  const text = (index: number): string => names[index] ?? ''
  const runs: number[][] = []
  for (let at = 0; at < names.length; at += RUN_NAMES) {
    const run = Array.from({ length: Math.min(RUN_NAMES, names.length - at) }, (_, i) => at + i)
    runs.push(run.sort((a, b) => (text(a) < text(b) ? -1 : 1)))
    await turn()
  }
  const [first = []] = runs
  return runs.length < 2 ? first.values() : merged(runs, text)
}

/** The least of what the runs have next, again and again: few runs, so that looking at each is quick. */
function* merged(runs: readonly (readonly number[])[], text: (index: number) => string): Generator<number, void> {
  const heads = runs.map((run) => ({ run, at: 0, name: text(run[0] ?? 0) }))
  while (heads.length > 0) {
    let least = 0
    for (let i = 1; i < heads.length; i++) if ((heads[i]?.name ?? '') < (heads[least]?.name ?? '')) least = i
    const head = heads[least]
    const index = head?.run[head.at]
    if (head === undefined || index === undefined) return
    yield index
    head.at += 1
    const next = head.run[head.at]
    if (next === undefined) heads.splice(least, 1)
    else head.name = text(next)
  }
}
