import { type FilePath, isWithin, nameOf, parentOf, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { nullOn } from '../../shared/errors.ts'
import { type Access, inStorage } from '../access/access.ts'
import type { AccessChanges } from '../access/latest.ts'
import type { Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import type { PrivateFolders } from './private-folders.ts'
import { accessOfProgram, type SandboxMount, type MountDeps, openSandboxMount } from './sandbox-mount.ts'
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
/** Looking for private folders asks file systems, but walks no tree. */
const MIN_LOOK_PAUSE_FACTOR = 50

/**
 * Keeps running programs within the rules of their users (decision 021). Denied paths are masked by mounts when a program starts, and a mask is lost
 * when somebody replaces the masked file. So a program is ended
 * - before a change through this server puts something at a path that is denied to it: the change waits until it has ended,
 * - before this server uses a private folder that is not masked for it, or moves one into its sight,
 * - as soon as the disk reports that somebody else has done so,
 * - as soon as its user may no longer run it.
 */
export function createGuard({ changes, ...deps }: MountDeps & { changes: Pick<AccessChanges, 'on'> }) {
  const { exec, systemDrive, use } = deps
  const { endsOnChange = true } = exec
  const running = new Set<Program>()
  const pendingChanges = new Set<{ readonly places: readonly Change[]; readonly over: Promise<void> }>()
  const completionOf = new WeakMap<Operation, () => void>()

  async function open(owner: Access, { mayStay }: GuardOptions): Promise<Guarded> {
    const access = accessOfProgram(owner)
    const abort = new AbortController()
    const scope = await systemDrive.place(access.scope, 'follow')
    const program: Program = { access, scope, masked: [], own: null, told: [], ended: null, end: () => abort.abort() }
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
      const mount = await openSandboxMount(deps, access)
      program.masked = mount.masked
      program.own = mount.own
      if (!program.told.every(mount.own.covers)) abort.abort()
      const checkMasks = (): void => {
        if (!mount.isMasked()) abort.abort()
      }
      const isHeld = exec.sandboxed && endsOnChange && mount.start.scope !== undefined
      if (isHeld) closing.push(repeat(mount.own.isComplete, abort, MIN_LOOK_PAUSE_FACTOR))
      if (isHeld && !access.rules.neverDenies) {
        timers.push(setInterval(checkMasks, EVERY_MS))
        closing.push(watchFolders(mount.watched, checkMasks))
        if (access.rules.deniedPaths === null) closing.push(repeat(mount.isComplete, abort, MIN_SCAN_PAUSE_FACTOR))
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
    const places = await changesOf(deps, operation)
    const over = Promise.withResolvers<void>()
    const entry = { places, over: over.promise }
    pendingChanges.add(entry)
    completionOf.set(operation, () => {
      pendingChanges.delete(entry)
      over.resolve()
    })
    await endAll([...running].filter((program) => places.some((change) => exposesDenied(program, change))))
  }

  async function beforeUse(volume: FilePath): Promise<void> {
    for (const { own, told } of running) if (own === null) told.push(volume)
    await endAll([...running].filter(({ own }) => own?.covers(volume) === false))
  }

  use.onPrivateUse(beforeUse)
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
  /** Private folders in its scope; null before it is known. */
  own: PrivateFolders | null
  /** Volumes whose private folders were about to be used before that. */
  readonly told: FilePath[]
  /** Null before it is started. */
  ended: Promise<unknown> | null
  readonly end: () => void
}

async function endAll(programs: readonly Program[]): Promise<void> {
  for (const program of programs) program.end()
  await Promise.all(programs.map(async ({ ended }) => ended))
}

/**
 * A new node is about to appear at this storage path; `tree` if it may contain more, `private` if a volume with a private folder may be in it. Or a folder
 * is about to leave it, `away` to the trash.
 */
interface Change {
  readonly place: FilePath
  readonly tree: boolean
  readonly private?: boolean
  readonly away?: boolean
}

/**
 * Whether a program would see something denied. A node that is removed exposes nothing itself: its mask goes with it. But a program that is in a folder
 * goes to the trash with it, and `..` leads from there to what others deleted, below the mask. A private folder that is moved with a subvolume has no mask
 * at its new path.
 */
function exposesDenied({ access: { rules, may }, scope, masked, own }: Program, change: Change): boolean {
  const { place, tree, away = false } = change
  const path = pathFrom(scope, place)
  if (change.private === true && (path !== null || isWithin(scope, place))) return true
  // Administrators find everything that was deleted in the trash.
  if (away) return path !== null && !(may.admin && rules.neverDenies) && (own?.holdsTrashOf(place) ?? true)
  if (rules.neverDenies) return false
  if (path === null) return tree && isWithin(scope, place)
  const isBelowMask = masked.some((mask) => path.startsWith(`${mask}/`))
  if (rules.verdict(path) === 'denied') return !isBelowMask
  if (!tree || isBelowMask) return false
  return rules.deniedPaths === null || rules.deniedPaths.some((denied) => isWithin(denied as FilePath, path))
}

/** Both the named node and the target if it is a link. */
async function changesOf({ systemDrive, use }: MountDeps, operation: Operation): Promise<Change[]> {
  if (operation.kind === 'delete') {
    const path = inStorage(operation.access, operation.path)
    const entry = await nullOn('not-found', systemDrive.stat(path))
    if (entry?.stat.kind !== 'folder' || entry.target !== null) return []
    return [{ place: await systemDrive.place(path, 'keep'), tree: true, away: true }]
  }
  const isTransfer = operation.kind === 'copy' || operation.kind === 'rename'
  const named = inStorage(operation.access, isTransfer ? operation.to : operation.path)
  const folder = await resolved(systemDrive, parentOf(named))
  const target = await resolved(systemDrive, named)
  const places = new Set([named, folder === null ? named : below(folder, nameOf(named)), target ?? named])
  const moved = await sourceOf(systemDrive, operation)
  const isPrivate = moved !== null && (await use.privatePlaces(moved)).some(({ isVolume }) => isVolume)
  return [...places].map((place) => ({ place, tree: isTransfer || operation.kind === 'restore', private: isPrivate }))
}

/** Where a folder is that an operation moves with everything below it; null if it moves none. */
async function sourceOf(systemDrive: Drive, operation: Operation): Promise<FilePath | null> {
  if (operation.kind === 'rename') {
    const from = inStorage(operation.access, operation.from)
    const entry = await nullOn('not-found', systemDrive.stat(from))
    return entry?.stat.kind === 'folder' && entry.target === null ? await nullOn('not-found', systemDrive.place(from, 'keep')) : null
  }
  if (operation.kind !== 'restore') return null
  const { volume, area, id } = operation.node.kept
  return placeUnder(volume, parseFilePath(`/.satchel/${area}/${id}`))
}

function below(folder: FilePath, name: string): FilePath {
  return `${folder === ROOT ? '' : folder}/${name}` as FilePath
}

async function resolved(systemDrive: Drive, path: FilePath): Promise<FilePath | null> {
  return await nullOn('not-found', systemDrive.place(path, 'follow'))
}

/** Checks again and again whether everything is masked, for at most one part in `pauseFactor` of the time. */
function repeat(isComplete: () => Promise<boolean>, abort: AbortController, pauseFactor: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function later(tookMs: number): void {
    if (!isOver) timer = setTimeout(() => void check(), Math.max(EVERY_MS, tookMs * pauseFactor))
  }

  async function check(): Promise<void> {
    const began = performance.now()
    if (await isComplete().catch(() => true)) later(performance.now() - began)
    else abort.abort()
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
