import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import { fail } from '../../shared/errors.ts'
import { bytesToName, nameToBytes } from '../../shared/file-path.ts'
import { otherSpellings } from '../../shared/other-spellings.ts'
import { type Bind, type Scope, SCOPE_PATH } from './sandbox.ts'

const FOLDER_ITSELF = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** A scope that is ready to be mounted: open folder descriptors, to be closed by the caller, and what is masked in them. */
export interface HeldScope {
  readonly binds: readonly (Bind & { readonly source: number })[]
  /** Relative to the scope; none is below another. */
  readonly masked: readonly string[]
}

/**
 * Opens a scope's folder, so that replacing a part of its path by a link meanwhile does not lead outside. If programs may write, every folder above
 * something masked is also opened and mounted separately, so that none of them can be renamed and the mask stays over what it masks. Fails with
 * `forbidden` if something masked can be reached by other names.
 */
export function holdScope({ folder: asked, writable, masked }: Scope): HeldScope {
  const folder = posix.resolve(asked)
  const closed = outermost(masked.map((path) => (path.startsWith('/') ? path : `/${path}`))).filter(
    (path) => path !== '/' && isThere(diskPath(folder, path)),
  )
  if (closed.some((path) => hasOtherNames(folder, path))) fail('forbidden', { right: 'execute' })
  const above = writable ? [...new Set(closed.flatMap(foldersAbove))].toSorted((a, b) => a.length - b.length) : []
  const binds: (Bind & { source: number })[] = []
  try {
    for (const path of ['/', ...above]) {
      binds.push({ source: holdFolder(diskPath(folder, path)), target: diskPath(SCOPE_PATH, path), writable })
    }
  } catch (error) {
    for (const { source } of binds) closeSync(source)
    throw error
  }
  return { binds, masked: closed }
}

/** Fails if this exact path is not a folder, or contains a link. */
function holdFolder(path: string): number {
  const descriptor = openSync(onDisk(path), FOLDER_ITSELF)
  if (bytesToName(readlinkSync(`/proc/self/fd/${descriptor}`, { encoding: 'buffer' })) === path) return descriptor
  closeSync(descriptor)
  throw new Error('a folder of the scope is not where it was')
}

/** Without a trailing slash. Not by `posix.join`, which replaces surrogate escapes (measured with Bun 1.4). */
export function diskPath(folder: string, path: string): string {
  if (path === '/') return folder
  return folder === '/' ? path : folder + path
}

/** Names that are not UTF-8 have their own bytes in a path as surrogate escapes (`FilePath`). */
export function onDisk(path: string): Buffer {
  return Buffer.from(nameToBytes(path))
}

function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

function isThere(path: string): boolean {
  return lstatSync(onDisk(path), { throwIfNoEntry: false }) !== undefined
}

/** On a case-insensitive disk a node is also found by other names, which are not masked (GHSA-fgm5-pw99-w2p7). */
function hasOtherNames(folder: string, path: string): boolean {
  return [...foldersAbove(path), path].some((one) => {
    const cut = one.lastIndexOf('/')
    const [parent, name] = [diskPath(folder, one.slice(0, cut) || '/'), one.slice(cut + 1)]
    const others = otherSpellings(name).filter((other) => isThere(diskPath(parent, `/${other}`)))
    if (others.length === 0) return false
    // If listed, it is a node of its own.
    const listed = new Set(readdirSync(onDisk(parent), { encoding: 'buffer' }).map((entry) => bytesToName(entry)))
    return others.some((other) => !listed.has(other))
  })
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1)
  return names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`)
}
