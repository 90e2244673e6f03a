import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { below, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import { type Copying, copyNode } from './copy.ts'
import { removeEmptied } from './emptied.ts'
import type { Change, RecordedChange } from './recorder.ts'
import { type Child, childrenIn } from './walk.ts'

export interface Moving extends Copying {
  readonly onTotal?: (bytes: number) => void
  /** Bytes on other file systems found so far, which cannot be renamed. */
  readonly toCopy: { bytes: number }
  readonly settleLater: (settle: () => void) => void
  /** Whether other files may be replaced, for which `modify` is needed. */
  readonly overwrites: boolean
  /** The target is the source by another spelling. */
  readonly isRespelled: boolean
  /** What is moved as a whole. */
  readonly top: { readonly place: ResolvedPath; readonly stat: Stat }
}

/**
 * To another file system: copies everything, checks that everything can be removed, and only then removes it. An error before that leaves the
 * source complete; after an error during the removal, each file still exists once.
 */
export async function moveAcross(moving: Moving, child: Child, to: ResolvedPath): Promise<void> {
  moving.toCopy.bytes += await bytesToCopy(moving, child)
  moving.onTotal?.(moving.toCopy.bytes)
  const moves = recordMoves(moving.context)
  try {
    const merged = new Set<FilePath>()
    await copyNode({ ...moving, begin: moves.begin, onMerged: (place) => void merged.add(place.node) }, child, to)
    await refuseUnremovable(moving, child, to)
    await removeCopied({ ...moving, merged }, child, to)
  } finally {
    await moves.settle(moving.settleLater)
  }
}

/** What is copied from another file system is moved when its source has gone. */
function recordMoves({ storage, recorder }: DriveContext) {
  const begun: { row: RecordedChange; path: FilePath; origin: FilePath }[] = []
  return {
    async begin(change: Change): Promise<RecordedChange> {
      const { path, origin } = change
      if (origin === undefined) return recorder.begin(change)
      const row = await recorder.begin({ ...change, kind: 'move', node: await storage.stat(origin) })
      begun.push({ row, path, origin })
      return { done: () => undefined, failed: () => undefined }
    },

    async settle(settleLater: Moving['settleLater']): Promise<void> {
      for (const { row, path, origin } of begun) {
        const [there, before] = await Promise.all([storage.stat(path), storage.stat(origin)]).catch(() => [null, null])
        if (there !== null && before === null) settleLater(() => row.done(there))
        else row.failed()
      }
    },
  }
}

/** Fails if a copy would skip something, because a move must not lose it. */
async function bytesToCopy(moving: Copying, { place, kind, stat }: Child): Promise<number> {
  await moving.checkpoint()
  if (kind === 'link' || kind === 'special')
    fail('invalid-input', { issues: ['links and special files cannot move to another file system'] })
  if (kind !== 'folder') return stat.size
  const columns = await withErrorPath(place.path, moving.context.storage.list(place.node, { signal: moving.signal }))
  let bytes = 0
  for (const child of childrenIn(place, columns)) bytes += await bytesToCopy(moving, child)
  return bytes
}

/** Some file systems store times in steps of two seconds. */
const TIME_STEP_MS = 2000

/** Fails if `removeCopied` would fail, as far as this can be known in advance. */
async function refuseUnremovable(moving: Copying, { place, kind }: Child, to: ResolvedPath): Promise<void> {
  await moving.checkpoint()
  if (kind !== 'folder') return refuseChanged(moving, place, to)
  const columns = await nullOn('not-found', moving.context.storage.list(place.node))
  if (columns === null || columns.names.length === 0) return
  await refuseLocked(moving, place)
  for (const child of childrenIn(place, columns)) await refuseUnremovable(moving, child, below(to, child.name))
}

/** Tries to remove a folder that is not empty, which never succeeds but shows whether it is permitted. */
async function refuseLocked({ context }: Copying, place: ResolvedPath): Promise<void> {
  try {
    await context.storage.remove(place.node)
  } catch (error) {
    if (isAppError(error, 'forbidden')) throw error
  }
}

async function refuseChanged({ context: { storage } }: Copying, place: ResolvedPath, to: ResolvedPath): Promise<void> {
  const [now, copy] = await Promise.all([storage.stat(place.node), storage.stat(to.node)])
  if (now === null) return
  if (copy?.size !== now.size || Math.abs(copy.modified - now.modified) > TIME_STEP_MS) fail('busy', { path: place.path })
}

/** Removes what was copied; fails with `busy` if something was added or changed since then, and keeps it. */
async function removeCopied(
  moving: Moving & { readonly merged: ReadonlySet<FilePath> },
  { place, kind }: Child,
  to: ResolvedPath,
): Promise<void> {
  const { storage } = moving.context
  await moving.checkpoint()
  if (kind === 'folder') {
    const columns = await nullOn('not-found', storage.list(place.node))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeCopied(moving, child, below(to, child.name))
  } else await refuseChanged(moving, place, to)
  const isMerged = moving.merged.has(place.node)
  await nullOn('not-found', isMerged ? removeEmptied(moving, { from: place, to }) : storage.remove(place.node))
}
