import { chmodSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { codeOf } from '../../shared/errors.ts'
import { namesInPieces } from './folder-names.ts'
import { statAt, statOpen } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { mountOf } from './volumes.ts'
import { entry, type Folder, self } from './walk.ts'

/** What one step did. */
export interface Dropped {
  /** Nodes. */
  readonly removed: number
  readonly isDone: boolean
  /** Code of the first thing that went wrong, where nothing but such things is left. */
  readonly failure: string | null
}

/** A thread is given back so often, to hear of a signal. */
const STEP_MS = 50

interface Step {
  readonly end: number
  readonly open: typeof openFolder
  removed: number
  /** Whether another step would find less to do. */
  hasProgress: boolean
  failure: string | null
}

/**
 * Removes a part of a folder with everything below it. Folders in it are moved to its uppermost level before they are emptied: however deep they are,
 * nobody walks far, and few are open at a time. What cannot be removed is left for the last.
 * @param options.open another in tests
 */
export function dropSome(parent: Folder, name: string, { open = openFolder }: { open?: typeof openFolder } = {}): Dropped {
  const step: Step = { end: performance.now() + STEP_MS, open, removed: 0, hasProgress: false, failure: null }
  const done = (): Dropped => ({ removed: step.removed, isDone: true, failure: null })
  const kind = statAt(parent, name)?.kind
  if (kind === undefined || (kind !== 'folder' && remove(() => unlinkSync(entry(parent, name))))) return done()
  using top = openFolder(parent, [name])
  const isComplete = empty(top, top, step)
  if (isComplete && remove(() => rmdirSync(entry(parent, name)))) return done()
  return { removed: step.removed, isDone: false, failure: step.hasProgress ? null : (step.failure ?? 'EBUSY') }
}

/** @returns whether the end was reached: there may be more in the folder nevertheless */
function empty(top: Folder, folder: Folder, step: Step): boolean {
  makeOurs(folder)
  for (const names of namesInPieces(folder.fd)) {
    for (const name of names) {
      drop(top, { folder, name }, step)
      // Where nothing can be removed all is looked at, or what comes behind would never be.
      if (step.hasProgress && performance.now() > step.end) return false
    }
  }
  return true
}

function drop(top: Folder, { folder, name }: { folder: Folder; name: string }, step: Step): void {
  try {
    const address = entry(folder, name)
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
  // What is mounted there is another disk's, and nobody deleted that.
  if (mountOf(inner.fd) !== mountOf(folder.fd)) throw Object.assign(new Error('mounted'), { code: 'EBUSY' })
  if (folder !== top) {
    makeOurs(inner)
    renameSync(entry(folder, name), entry(top, randomUUID()))
    step.hasProgress = true
  } else if (empty(top, inner, step) && remove(() => rmdirSync(entry(top, name)))) {
    step.removed++
    step.hasProgress = true
  }
}

/** @param others codes that say that it has to be done otherwise. @returns false for one of them; what is gone is removed */
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

/** Its owner may have forbidden everybody to change it, and could allow it again. */
function makeOurs({ fd }: Folder): void {
  try {
    if ((statOpen(fd).mode & 0o700) !== 0o700) chmodSync(self(fd), 0o700)
  } catch {
    // Then nothing in it can be removed, which is told.
  }
}
