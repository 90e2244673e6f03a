import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Columns, NodeKind, Stat } from '../storage/storage.ts'
import type { Walked } from './drive.ts'
import { linkEntry, visibleIn } from './entries.ts'
import { kindOf } from './kind.ts'
import { inTurns } from './pause.ts'
import { below, type Ground, type Place, seenAs } from './place.ts'

/** A node as its folder's listing tells of it. */
export interface Child {
  readonly place: Place
  readonly name: string
  readonly kind: NodeKind
  readonly stat: Omit<Stat, 'identity'>
}

export async function* walkBelow(ground: Ground, path: FilePath, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<Walked, void> {
  const folder = await ground.find(path, 'follow')
  const columns = await seenAs(path, ground.storage.list(folder.node, { signal }))
  yield* walkColumns({ ground, signal, turn: inTurns(signal) }, folder, columns)
}

/** The children of a folder, visible or not, as the disk has them. */
export function* childrenIn(folder: Place, columns: Columns): Generator<Child, void> {
  for (const index of columns.names.keys()) yield childAt(folder, columns, index)
}

interface Walk {
  readonly ground: Ground
  readonly signal?: AbortSignal
  readonly turn: () => Promise<void>
}

/** Holds one listing for each level that it is in. */
async function* walkColumns(walk: Walk, folder: Place, all: Columns): AsyncGenerator<Walked, void> {
  const { ground, turn } = walk
  const columns = visibleIn(ground, folder, all)
  for (const index of orderByName(columns.names)) {
    await turn()
    const { place, name, kind, stat } = childAt(folder, columns, index)
    if (kind === 'link') yield await linkEntry(ground, place.path, stat)
    else yield { path: place.path, name, stat, target: null }
    const inner = kind === 'folder' ? await readable(walk, place) : null
    if (inner !== null) yield* walkColumns(walk, place, inner)
  }
}

/** Null for a folder that is gone or may not be read. */
async function readable({ ground, signal }: Walk, { node }: Place): Promise<Columns | null> {
  try {
    return await ground.storage.list(node, { signal })
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    throw error
  }
}

function childAt(folder: Place, { names, sizes, modified, modes }: Columns, index: number): Child {
  const name = names[index] ?? ''
  const mode = modes[index] ?? 0
  const kind = kindOf(mode)
  return { place: below(folder, name), name, kind, stat: { kind, size: sizes[index] ?? 0, modified: modified[index] ?? 0, mode } }
}

function orderByName(names: readonly string[]): number[] {
  const text = (index: number): string => names[index] ?? ''
  return [...names.keys()].sort((a, b) => (text(a) < text(b) ? -1 : 1))
}
