import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { type Access, inScope } from '../access/access.ts'
import type { Verdict } from '../access/rules.ts'
import { openLiveAccess } from '../access/live-access.ts'
import type { FindOptions, NodeHandle, Stat, Storage, Where } from '../storage/storage.ts'

/** One node, by the four names it has. */
export interface ResolvedPath {
  /** The viewer's. */
  readonly path: FilePath
  /** From the scope, as it was asked for. */
  readonly alias: FilePath
  /** From the scope, links resolved: what it really is. */
  readonly real: FilePath
  /** From the storage's root, links resolved: what the storage takes. */
  readonly node: FilePath
  /** The node as a walk found it, as long as it is held open; missing where only its path is known. */
  readonly handle?: NodeHandle
}

/** A path that was walked. Whoever asked for it closes it (`using`). */
export interface FoundPath extends ResolvedPath, Disposable {
  readonly handle: NodeHandle
  /** As it was found, links not followed; null where nothing has the name. */
  readonly stat: Stat | null
}

/** What the storage goes on with. */
export function whereOf({ handle, node }: Pick<ResolvedPath, 'handle' | 'node'>): Where {
  return handle ?? node
}

/** What the parts of a Drive stand on. */
export interface DriveContext {
  readonly storage: Storage
  /** As of the last `renew`. */
  readonly access: Access
  /** Brings `access` up to date; undefined where it is, without waiting. To be awaited before each step of what takes long (docs/security.md). */
  renew(): Promise<void> | undefined
  /**
   * The same for work on a whole tree that must not leave out in silence what was denied after it began: `verdict`, and with it `locate` and
   * `find`, fail with `access-changed` for a node that could be seen then and cannot now.
   */
  readonly strict: DriveContext
  /**
   * Walks a path once, whether or not a node is there; null where the way to it is none: a parent is missing, or a link leaves what this
   * person may see. Fails with `not-found` where rules or hidden names hide either of its names. With `keep` a link in the last place is the node.
   */
  locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath | null>
  /** The same, where null is `not-found` too. */
  find(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath>
  /** The worse of what rules and hidden names say of both names. */
  verdict(place: ResolvedPath): Verdict
}

export function openDriveContext(storage: Storage, access: Access): DriveContext {
  const standing = openLiveAccess(access)
  const isWhole = access.scope === ROOT && access.start === ROOT
  const rootsAs = {
    asked: remembered(() => findRoots(storage, access, 'asked')),
    listed: remembered(() => findRoots(storage, access, 'listed')),
  }

  let strict: DriveContext | undefined

  function contextWith({ isStrict }: { isStrict: boolean }): DriveContext {
    function verdict(place: Pick<ResolvedPath, 'alias' | 'real'>): Verdict {
      const { now, first } = standing
      const found = worseOf(now, place)
      const isLost = isStrict && found !== 'shown' && now !== first && worseOf(first, place) === 'shown'
      return isLost ? fail('access-changed', {}) : found
    }
    const isShown = (path: FilePath): boolean => verdict({ alias: path, real: path }) === 'shown'

    async function locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<FoundPath | null> {
      await standing.renew()
      const { now } = standing
      const alias = inScope(now, path)
      if (!isShown(alias)) fail('not-found', { path })
      // Rules are about the names that the disk has, also where it takes other spellings for them.
      const names = now.rules.empty ? 'asked' : 'listed'
      const { scope, start } = isWhole ? AT_ROOT : await rootsAs[names]()
      const passes = now.rules.empty ? undefined : (node: FilePath) => isShown(pathFrom(scope, node) ?? ROOT)
      const handle = await unless('not-found', storage.find(placeUnder(start, path), { within: start, leaf, names, passes }))
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
      get access() {
        return standing.now
      },
      renew: standing.renew,
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

/** What rules and hidden names say of the name that was asked for and of the real one: the worse of the two. */
function worseOf({ rules }: Access, { alias, real }: Pick<ResolvedPath, 'alias' | 'real'>): Verdict {
  const asked = rules.verdict(alias)
  if (asked === 'denied' || alias === real) return asked
  const actual = rules.verdict(real)
  return actual === 'shown' ? asked : actual
}

function foundPath(names: { path: FilePath; alias: FilePath; real: FilePath }, handle: NodeHandle): FoundPath {
  return { ...names, node: handle.path, handle, stat: handle.stat, [Symbol.dispose]: () => handle[Symbol.dispose]() }
}

/** Where a walk ends. */
async function endOf(storage: Storage, path: FilePath, options: FindOptions): Promise<FilePath> {
  using handle = await storage.find(path, options)
  return handle.path
}

/** A child's path, nothing asked. */
export function below(folder: ResolvedPath, name: string): ResolvedPath {
  return {
    path: joinPath(folder.path, name),
    alias: joinPath(folder.alias, name),
    real: joinPath(folder.real, name),
    node: joinPath(folder.node, name),
  }
}

/** The place that a child is going to have: of what is there by that name already, where the disk takes another spelling for the same. */
export async function arrivingAt({ storage, access }: DriveContext, folder: ResolvedPath, name: string): Promise<ResolvedPath> {
  const child = below(folder, name)
  if (access.rules.empty || (await storage.stat(child.node)) === null) return child
  const node = await endOf(storage, child.node, { within: folder.node, leaf: 'keep', names: 'listed' })
  return { ...child, real: joinPath(folder.real, nameOf(node)), node }
}

/** Where a node really is, by the names that the disk lists, as far as its way is there. */
export async function nodeAsListed(storage: Storage, node: FilePath): Promise<FilePath> {
  if (node === ROOT) return ROOT
  const listed = await unless('not-found', endOf(storage, node, { within: ROOT, leaf: 'keep', names: 'listed' }))
  return listed ?? joinPath(await nodeAsListed(storage, parentOf(node)), nameOf(node))
}

/** Null for the one failure that is an ordinary answer here. */
export async function unless<T>(code: 'not-found' | 'already-exists', deed: Promise<T>): Promise<T | null> {
  try {
    return await deed
  } catch (error) {
    if (isAppError(error, code)) return null
    throw error
  }
}

/** The storage's failures name its own paths; what leaves here names what the viewer asked for. */
export async function seenAs<T>(path: FilePath, deed: Promise<T>): Promise<T> {
  try {
    return await deed
  } catch (error) {
    if (isAppError(error, 'not-found')) throw new AppError('not-found', { path }, { cause: error })
    if (isAppError(error, 'already-exists')) throw new AppError('already-exists', { path }, { cause: error })
    throw error
  }
}

/** Scope and start may themselves be links, or lie behind some: each is resolved within what it may not leave. */
async function findRoots(storage: Storage, { scope, start }: Access, names: 'asked' | 'listed'): Promise<Roots> {
  const realScope = await endOf(storage, scope, { within: ROOT, leaf: 'follow', names })
  if (start === ROOT) return { scope: realScope, start: realScope }
  return { scope: realScope, start: await endOf(storage, placeUnder(realScope, start), { within: realScope, leaf: 'follow', names }) }
}

interface Roots {
  readonly scope: FilePath
  readonly start: FilePath
}

const AT_ROOT: Roots = { scope: ROOT, start: ROOT }

/** Asks until it is told, and then no more. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let told: { value: T } | null = null
  return async () => (told ??= { value: await ask() }).value
}
