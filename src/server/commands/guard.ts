import { type FilePath, isWithin, nameOf, parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import { nullOn } from '../../shared/errors.ts'
import { type Access, inStorage } from '../access/access.ts'
import type { AccessChanges } from '../access/latest.ts'
import type { Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import { type SandboxMount, type Exec, openSandboxMount } from './sandbox-mount.ts'
import { watch } from 'node:fs'

/** A running program, from before its start to its end. */
export interface Guarded extends Disposable {
  readonly mount: SandboxMount
  /** Aborted when the program must end. */
  readonly signal: AbortSignal
  /** Tells the guard when the program has ended; call it in the same tick in which the program is started. */
  until(ended: Promise<unknown>): void
}

export interface GuardOptions {
  /** Whether the user may still run it. If that cannot be determined, the program continues. */
  readonly mayStay: () => Promise<boolean>
}

export type Guard = ReturnType<typeof createGuard>

/** Also detects changes that nothing reports. */
const EVERY_MS = 1000
/** Scanning the tree takes at most one part in this many of the time. */
const MIN_SCAN_PAUSE_FACTOR = 20

/**
 * Keeps running programs within the rules of their users (decision 021). Denied paths are masked by mounts when a program starts, and a mask is lost
 * when somebody replaces the masked file. So a program is ended
 * - before a change through this server puts something at a path that is denied to it: the change waits until it has ended,
 * - as soon as the disk reports that somebody else has done so,
 * - as soon as its user may no longer run it.
 */
export function createGuard({ exec, systemDrive, changes }: { exec: Exec; systemDrive: Drive; changes: Pick<AccessChanges, 'on'> }) {
  const { endsOnChange = true } = exec
  const running = new Set<Program>()
  const pendingChanges = new Set<{ readonly places: readonly Change[]; readonly over: Promise<void> }>()
  const completionOf = new WeakMap<Operation, () => void>()

  async function open(access: Access, { mayStay }: GuardOptions): Promise<Guarded> {
    const abort = new AbortController()
    const scope = await systemDrive.place(access.scope, 'follow')
    const program: Program = { access, scope, masked: [], ended: null, end: () => abort.abort() }
    const check = (): void => void mayStay().then((may) => may || abort.abort(), ignore)
    const closing: (() => void)[] = [() => running.delete(program), changes.on(check)]
    const timers = [setInterval(check, EVERY_MS)]
    if (exec.sandboxed && endsOnChange) running.add(program)
    const dispose = (): void => {
      for (const timer of timers) clearInterval(timer)
      for (const close of closing.splice(0)) close()
    }
    try {
      // A node that is being changed right now may lose its mask at once.
      for (const { places, over } of pendingChanges) if (places.some((change) => exposesDenied(program, change))) await over
      const mount = await openSandboxMount({ exec, systemDrive }, access)
      program.masked = mount.masked
      const checkMasks = (): void => {
        if (!mount.isMasked()) abort.abort()
      }
      if (exec.sandboxed && endsOnChange && mount.start.scope !== undefined && !access.rules.neverDenies) {
        timers.push(setInterval(checkMasks, EVERY_MS))
        closing.push(watchFolders(mount.watched, checkMasks))
        if (access.rules.deniedPaths === null) closing.push(rescan(mount, abort))
      }
      const until = (ended: Promise<unknown>): void => {
        program.ended = ended.catch(ignore)
      }
      return { mount, signal: abort.signal, until, [Symbol.dispose]: dispose }
    } catch (error) {
      dispose()
      throw error
    }
  }

  async function before(operation: Operation): Promise<void> {
    const places = await changesOf(systemDrive, operation)
    const over = Promise.withResolvers<void>()
    const entry = { places, over: over.promise }
    pendingChanges.add(entry)
    completionOf.set(operation, () => {
      pendingChanges.delete(entry)
      over.resolve()
    })
    const opened = [...running].filter((program) => places.some((change) => exposesDenied(program, change)))
    for (const program of opened) program.end()
    await Promise.all(opened.map(async ({ ended }) => ended))
  }

  const finish = (_: Operation, started: Operation): void => completionOf.get(started)?.()
  return {
    open,
    /** Called before a change through a Drive, after all other observers, which may still refuse it. */
    beforeChange: { before },
    /** Called after changes, successful or not: before all other observers, so before anything else is started. */
    afterChange: { after: finish, onError: finish },
  }
}

interface Program {
  readonly access: Access
  /** The folder of the storage that it sees. */
  readonly scope: FilePath
  /** What it finds empty and inaccessible, relative to the scope. */
  masked: readonly string[]
  /** Null before it is started. */
  ended: Promise<unknown> | null
  readonly end: () => void
}

/** A new node is about to appear at this storage path; `tree` if it may contain more. */
interface Change {
  readonly place: FilePath
  readonly tree: boolean
}

/** Whether a program would see something denied. Removing a node exposes nothing: its mask goes with it. */
function exposesDenied({ access: { rules }, scope, masked }: Program, { place, tree }: Change): boolean {
  if (rules.neverDenies) return false
  const path = pathFrom(scope, place)
  if (path === null) return tree && isWithin(scope, place)
  const isBelowMask = masked.some((mask) => path.startsWith(`${mask}/`))
  if (rules.verdict(path) === 'denied') return !isBelowMask
  if (!tree || isBelowMask) return false
  return rules.deniedPaths === null || rules.deniedPaths.some((denied) => isWithin(denied as FilePath, path))
}

/** Both the named node and the target if it is a link. */
async function changesOf(systemDrive: Drive, operation: Operation): Promise<Change[]> {
  if (operation.kind === 'delete') return []
  const isTransfer = operation.kind === 'copy' || operation.kind === 'rename'
  const named = inStorage(operation.access, isTransfer ? operation.to : operation.path)
  const folder = await resolved(systemDrive, parentOf(named))
  const target = await resolved(systemDrive, named)
  const places = new Set([named, folder === null ? named : below(folder, nameOf(named)), target ?? named])
  return [...places].map((place) => ({ place, tree: isTransfer || operation.kind === 'restore' }))
}

function below(folder: FilePath, name: string): FilePath {
  return `${folder === ROOT ? '' : folder}/${name}` as FilePath
}

async function resolved(systemDrive: Drive, path: FilePath): Promise<FilePath | null> {
  return await nullOn('not-found', systemDrive.place(path, 'follow'))
}

/** A pattern may deny anything anywhere, so the whole tree is scanned repeatedly. */
function rescan(mount: SandboxMount, abort: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function later(tookMs: number): void {
    if (!isOver) timer = setTimeout(() => void scan(), Math.max(EVERY_MS, tookMs * MIN_SCAN_PAUSE_FACTOR))
  }

  async function scan(): Promise<void> {
    const began = performance.now()
    const isComplete = await mount.isComplete().catch(() => true)
    if (!isComplete) abort.abort()
    else later(performance.now() - began)
  }

  later(0)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function ignore(): void {}

/** Each needs a kernel watch; other folders are polled anyway. */
const MOST_FOLDERS = 256

/** Calls back as soon as an entry is created, removed or renamed in one of these local folders. @returns a function that stops watching */
function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders.slice(0, MOST_FOLDERS).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, (event) => {
        if (event === 'rename') onChange()
      })
      // The next open of the folder will show that it has gone.
      watcher.on('error', onChange)
      return [watcher]
    } catch {
      // The folder has gone, or the system has no watches left.
      return []
    }
  })
  return () => watchers.forEach((watcher) => watcher.close())
}
