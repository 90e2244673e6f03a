import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { type Access, canSee, inScope } from '../access/access.ts'
import type { Verdict } from '../access/rules.ts'
import type { Storage } from '../storage/storage.ts'

/** One node, by the four names it has. */
export interface Place {
  /** The viewer's. */
  readonly path: FilePath
  /** From the scope, as it was asked for. */
  readonly alias: FilePath
  /** From the scope, links resolved: what it really is. */
  readonly real: FilePath
  /** From the storage's root, links resolved: what the storage takes. */
  readonly node: FilePath
}

/** What the parts of a Drive stand on. */
export interface Ground {
  readonly storage: Storage
  readonly access: Access
  /**
   * The place of a path, whether or not a node is there; null where the way to it is none: a parent is missing, or a link leaves what this
   * person may see. Fails with `not-found` where rules or hidden names hide either of its names. With `keep` a link in the last place is the node.
   */
  locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<Place | null>
  /** The same, where null is `not-found` too. */
  find(path: FilePath, leaf: 'follow' | 'keep'): Promise<Place>
  /** The worse of what rules and hidden names say of both names. */
  verdict(place: Place): Verdict
}

export function openGround(storage: Storage, access: Access): Ground {
  // Rules are about the names that the disk has, also where it takes other spellings for them.
  const names = access.rules.empty ? 'asked' : 'listed'
  const roots = remembered(() => findRoots(storage, access, names))

  function verdict({ alias, real }: Place): Verdict {
    const asked = access.rules.verdict(alias)
    if (asked === 'denied' || alias === real) return asked
    const actual = access.rules.verdict(real)
    return actual === 'shown' ? asked : actual
  }

  async function locate(path: FilePath, leaf: 'follow' | 'keep'): Promise<Place | null> {
    if (!canSee(access, path)) fail('not-found', { path })
    const { scope, start } = await roots()
    const node = await unless('not-found', storage.locate(placeUnder(start, path), { within: start, leaf, names }))
    const real = node && pathFrom(scope, node)
    if (node === null || real === null) return null
    const place = { path, alias: inScope(access, path), real, node }
    return verdict(place) === 'shown' ? place : fail('not-found', { path })
  }

  return {
    storage,
    access,
    locate,
    find: async (path, leaf) => (await locate(path, leaf)) ?? fail('not-found', { path }),
    verdict,
  }
}

/** The place of a child, nothing asked. */
export function below(folder: Place, name: string): Place {
  return {
    path: joinPath(folder.path, name),
    alias: joinPath(folder.alias, name),
    real: joinPath(folder.real, name),
    node: joinPath(folder.node, name),
  }
}

/** The place that a child is going to have: of what is there by that name already, where the disk takes another spelling for the same. */
export async function arriving({ storage, access }: Ground, folder: Place, name: string): Promise<Place> {
  const child = below(folder, name)
  if (access.rules.empty || (await storage.stat(child.node)) === null) return child
  const node = await storage.locate(child.node, { within: folder.node, leaf: 'keep', names: 'listed' })
  return { ...child, real: joinPath(folder.real, nameOf(node)), node }
}

/** Where a node really is, by the names that the disk lists, as far as its way is there. */
export async function nodeAsListed(storage: Storage, node: FilePath): Promise<FilePath> {
  if (node === ROOT) return ROOT
  const listed = await unless('not-found', storage.locate(node, { within: ROOT, leaf: 'keep', names: 'listed' }))
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
  const realScope = await storage.locate(scope, { within: ROOT, leaf: 'follow', names })
  if (start === ROOT) return { scope: realScope, start: realScope }
  return { scope: realScope, start: await storage.locate(placeUnder(realScope, start), { within: realScope, leaf: 'follow', names }) }
}

interface Roots {
  readonly scope: FilePath
  readonly start: FilePath
}

/** Asks until it is told, and then no more. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let told: { value: T } | null = null
  return async () => (told ??= { value: await ask() }).value
}
