import { AppError, fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { type Access, inScope } from '../access/access.ts'
import type { Bin } from './bin.ts'
import type { Recorder } from './recorder.ts'
import type { Room } from './room.ts'
import type { Versions } from './versions.ts'
import type { Verdict } from '../access/rules.ts'
import { openLiveAccess } from '../access/live-access.ts'
import type { FindOptions, NodeHandle, Stat, Storage } from '../storage/storage.ts'

/** The four paths of one node. */
export interface ResolvedPath {
  /** The viewer's. */
  readonly path: FilePath
  /** From the scope, as requested. */
  readonly alias: FilePath
  /** From the scope, links resolved. */
  readonly real: FilePath
  /** From the storage's root, links resolved: the storage path. */
  readonly node: FilePath
}

/**
 * A path that was walked. The caller closes it (`using`). The handle is for what is read at once; an operation in several steps continues with `node`,
 * which is walked again: an open folder may be moved between two steps, also below a path that a rule denies (A23).
 */
export interface FoundPath extends ResolvedPath, Disposable {
  readonly handle: NodeHandle
  /** Links not followed; null if there is no such node. */
  readonly stat: Stat | null
}

/** What all parts of a Drive share. */
export interface DriveContext {
  readonly storage: Storage
  readonly bin: Bin
  readonly versions: Versions
  readonly recorder: Recorder
  readonly room: Room
  /** As of the last `renew`. */
  readonly access: Access
  /** Updates `access`; undefined if it is current, without waiting. Await it before each step of long work (docs/security.md). */
  renew(): Promise<void> | undefined
  /** Of a strict context, as it was at the start; null of others. */
  readonly began: Access | null
  /**
   * The same for work on a whole tree that must be complete: `verdict`, and so `locate` and `find`, fail with `access-changed` for a node that was
   * visible at the start and is not any more.
   */
  readonly strict: DriveContext
  /**
   * Walks a path once, whether or not the node exists; null if a parent is missing or a link leaves what the viewer may see. Fails with `not-found`
   * if rules or hidden names hide the requested or the real path. With `keep`, a link in the last place is not followed.
   */
  locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath | null>
  /** The same, but fails with `not-found` instead of returning null. */
  find(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath>
  /** What rules and hidden names say: the stricter of the verdicts on the requested and the real path. */
  verdict(place: ResolvedPath): Verdict
}

/** Where removed and replaced content goes, what is done is recorded, and how much may be added. */
export type Keeping = Pick<DriveContext, 'bin' | 'versions' | 'recorder' | 'room'>

export function openDriveContext(storage: Storage, access: Access, { bin, versions, recorder, room }: Keeping): DriveContext {
  const liveAccess = openLiveAccess(access)
  const isWhole = access.scope === ROOT && access.start === ROOT
  const rootsBy = {
    asked: memoized(() => findRoots(storage, access, 'asked')),
    listed: memoized(() => findRoots(storage, access, 'listed')),
  }

  let strict: DriveContext | undefined

  function contextWith({ isStrict }: { isStrict: boolean }): DriveContext {
    function verdict(place: Pick<ResolvedPath, 'alias' | 'real'>): Verdict {
      const { now, first } = liveAccess
      const found = stricterVerdict(now, place)
      const isLost = isStrict && found !== 'shown' && now !== first && stricterVerdict(first, place) === 'shown'
      return isLost ? fail('access-changed', {}) : found
    }
    const isShown = (path: FilePath): boolean => verdict({ alias: path, real: path }) === 'shown'

    async function locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath | null> {
      await liveAccess.renew()
      const { now } = liveAccess
      const alias = inScope(now, path)
      if (!isShown(alias)) fail('not-found', { path })
      // Rules apply to names as the disk lists them, even if it accepts other spellings.
      const names = isPlain(now) ? 'asked' : 'listed'
      const { scope, start } = isWhole ? AT_ROOT : await rootsBy[names]()
      const passes = now.rules.empty ? undefined : (node: FilePath) => isShown(pathFrom(scope, node) ?? ROOT)
      const handle = await nullOn('not-found', storage.find(placeUnder(start, path), { within: start, leaf, names, passes }))
      if (handle === null) return null
      const real = pathFrom(scope, handle.path)
      try {
        if (real !== null && verdict({ alias, real }) === 'shown') return foundPath({ path, alias, real }, handle)
      } catch (error) {
        handle[Symbol.dispose]()
        throw error
      }
      handle[Symbol.dispose]()
      return real === null ? null : fail('not-found', { path })
    }

    return {
      storage,
      bin,
      versions,
      recorder,
      room,
      get access() {
        return liveAccess.now
      },
      renew: liveAccess.renew,
      began: isStrict ? liveAccess.first : null,
      get strict() {
        strict ??= contextWith({ isStrict: true })
        return strict
      },
      locate,
      find: async (path, leaf) => (await locate(path, leaf)) ?? fail('not-found', { path }),
      verdict,
    }
  }

  return contextWith({ isStrict: false })
}

/** Nothing depends on how a path is spelled. */
function isPlain({ rules }: Access): boolean {
  return rules.empty && rules.grants.isUniform
}

function stricterVerdict({ rules }: Access, { alias, real }: Pick<ResolvedPath, 'alias' | 'real'>): Verdict {
  const asked = rules.verdict(alias)
  if (asked === 'denied' || alias === real) return asked
  const actual = rules.verdict(real)
  return actual === 'shown' ? asked : actual
}

function foundPath(names: { path: FilePath; alias: FilePath; real: FilePath }, handle: NodeHandle): FoundPath {
  return { ...names, node: handle.path, handle, stat: handle.stat, [Symbol.dispose]: () => handle[Symbol.dispose]() }
}

async function realPathOf(storage: Storage, path: FilePath, options: FindOptions): Promise<FilePath> {
  using handle = await storage.find(path, options)
  return handle.path
}

/** The path of a child, without checking anything. */
export function below(folder: ResolvedPath, name: string): ResolvedPath {
  return {
    path: joinPath(folder.path, name),
    alias: joinPath(folder.alias, name),
    real: joinPath(folder.real, name),
    node: joinPath(folder.node, name),
  }
}

/** The path that a new child will have: that of the existing node if the disk treats both spellings as equal. */
export async function childPath({ storage, access }: DriveContext, folder: ResolvedPath, name: string): Promise<ResolvedPath> {
  const child = below(folder, name)
  if (isPlain(access) || (await storage.stat(child.node)) === null) return child
  const node = await realPathOf(storage, child.node, { within: folder.node, leaf: 'keep', names: 'listed' })
  return { ...child, real: joinPath(folder.real, nameOf(node)), node }
}

/** A storage path by the names that the disk lists, as far as it exists. */
export async function listedPath(storage: Storage, node: FilePath): Promise<FilePath> {
  if (node === ROOT) return ROOT
  const listed = await nullOn('not-found', realPathOf(storage, node, { within: ROOT, leaf: 'keep', names: 'listed' }))
  return listed ?? joinPath(await listedPath(storage, parentOf(node)), nameOf(node))
}

/** Replaces the storage path in an error by the path that the viewer requested. */
export async function withErrorPath<T>(path: FilePath, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (isAppError(error, 'not-found')) throw new AppError('not-found', { path }, { cause: error })
    if (isAppError(error, 'already-exists')) throw new AppError('already-exists', { path }, { cause: error })
    throw error
  }
}

/** Scope and start may be links or lie behind links; each is resolved within the folder that it must not leave. */
async function findRoots(storage: Storage, { scope, start }: Access, names: 'asked' | 'listed'): Promise<Roots> {
  const realScope = await realPathOf(storage, scope, { within: ROOT, leaf: 'follow', names })
  if (start === ROOT) return { scope: realScope, start: realScope }
  return { scope: realScope, start: await realPathOf(storage, placeUnder(realScope, start), { within: realScope, leaf: 'follow', names }) }
}

interface Roots {
  readonly scope: FilePath
  readonly start: FilePath
}

const AT_ROOT: Roots = { scope: ROOT, start: ROOT }

function memoized<T>(find: () => Promise<T>): () => Promise<T> {
  let found: { value: T } | null = null
  return async () => (found ??= { value: await find() }).value
}
