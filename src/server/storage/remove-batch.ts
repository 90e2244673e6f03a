import { chmodSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { codeOf } from '../../shared/errors.ts'
import { namesInPieces } from './folder-names.ts'
import { statAt, statOpen } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { mountOf } from './volumes.ts'
import { entryPath, type Folder, descriptorPath } from './proc-paths.ts'

/** The result of one batch. */
export interface Dropped {
  /** Nodes. */
  readonly removed: number
  readonly isDone: boolean
  /** Code of the first error, if only nodes that cannot be removed are left. */
  readonly failure: string | null
}

/** Duration of a batch, after which the caller can check its signal. */
const STEP_MS = 50

interface Step {
  readonly end: number
  readonly open: typeof openFolder
  removed: number
  /** Whether this batch removed or moved anything. */
  hasProgress: boolean
  failure: string | null
}

/**
 * Removes a part of a folder with everything below it. Moves inner folders to its uppermost level before it empties them, so that paths stay short and
 * few folders are open at a time. Nodes that cannot be removed stay until last.
 * @param options.open another in tests
 */
export function removeBatch(parent: Folder, name: string, { open = openFolder }: { open?: typeof openFolder } = {}): Dropped {
  const step: Step = { end: performance.now() + STEP_MS, open, removed: 0, hasProgress: false, failure: null }
  const done = (): Dropped => ({ removed: step.removed, isDone: true, failure: null })
  const kind = statAt(parent, name)?.kind
  if (kind === undefined || (kind !== 'folder' && remove(() => unlinkSync(entryPath(parent, name))))) return done()
  using top = openFolder(parent, [name])
  const isComplete = empty(top, top, step)
  if (isComplete && remove(() => rmdirSync(entryPath(parent, name)))) return done()
  return { removed: step.removed, isDone: false, failure: step.hasProgress ? null : (step.failure ?? 'EBUSY') }
}

/** @returns whether it reached the end of the folder, which may not be empty even so */
function empty(top: Folder, folder: Folder, step: Step): boolean {
  makeOurs(folder)
  for (const names of namesInPieces(folder.fd)) {
    for (const name of names) {
      drop(top, { folder, name }, step)
      // Without progress it continues, or the entries after those that cannot be removed would never be reached.
      if (step.hasProgress && performance.now() > step.end) return false
    }
  }
  return true
}

function drop(top: Folder, { folder, name }: { folder: Folder; name: string }, step: Step): void {
  try {
    const address = entryPath(folder, name)
    if (!remove(() => unlinkSync(address), ['EISDIR', 'EPERM'])) {
      if (statAt(folder, name)?.kind !== 'folder') throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
      if (!remove(() => rmdirSync(address))) return dropFolder(top, { folder, name }, step)
    }
    step.removed++
    step.hasProgress = true
  } catch (error) {
    step.failure ??= codeOf(error) || 'EIO'
  }
}

function dropFolder(top: Folder, { folder, name }: { folder: Folder; name: string }, step: Step): void {
  using inner = step.open(folder, [name], { stay: true })
  // A mount's content was not deleted, so it must not be removed.
  if (mountOf(inner.fd) !== mountOf(folder.fd)) throw Object.assign(new Error('mounted'), { code: 'EBUSY' })
  if (folder !== top) {
    makeOurs(inner)
    renameSync(entryPath(folder, name), entryPath(top, randomUUID()))
    step.hasProgress = true
  } else if (empty(top, inner, step) && remove(() => rmdirSync(entryPath(top, name)))) {
    step.removed++
    step.hasProgress = true
  }
}

/** @param others codes for which the caller has another way. @returns false for those; true also if the node is gone already */
function remove(change: () => void, others = ['ENOTEMPTY', 'EEXIST']): boolean {
  try {
    change()
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return true
    if (others.includes(code)) return false
    throw error
  }
}

/** Gives a folder of this user write permission, which its mode may lack. */
function makeOurs({ fd }: Folder): void {
  try {
    if ((statOpen(fd).mode & 0o700) !== 0o700) chmodSync(descriptorPath(fd), 0o700)
  } catch {
    // Then removing its entries fails with the reason.
  }
}
