import { isAppError } from '../../shared/errors.ts'
import {
  encodeFilePath,
  type FilePath,
  isUtf8Path,
  joinPath,
  nameOf,
  parentOf,
  pathFrom,
  ROOT,
  segmentsOf,
} from '../../shared/file-path.ts'
import { orderByBytes } from '../../shared/byte-order.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Drive } from '../drive/drive.ts'
import { type Children, type Entry, kindOf } from '../drive/entry.ts'
import { freeName, safeName, saferNames } from './names.ts'
import type { Selection } from './selection.ts'

/** One entry of an archive. */
export interface Member {
  /** In the archive: relative, safe, unique; a folder's name ends with a slash. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  /** Bytes; 0 for a folder. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Permission bits. */
  readonly mode: number
  /** Where the bytes are: a file of the viewer's, or these bytes. */
  readonly source: FilePath | Uint8Array
  /** Whether the source is a link. */
  readonly linked?: boolean
}

export interface WalkOptions {
  readonly signal?: AbortSignal
  /** Called for each entry that has to be left out, with the viewer's path. */
  readonly onSkipped: (path: FilePath, reason: string) => void
}

/** Longer names do not fit into a zip; no file system has such names. */
const MOST_NAME_BYTES = 60_000

/**
 * The members of an archive, each folder before its content, always in the same order. Hidden nodes are not included; special files and broken links
 * are left out; other links are followed, except links to folders in folders that were reached through links.
 */
export async function* membersOf(drive: Drive, { base, chosen }: Selection, options: WalkOptions): AsyncGenerator<Member, void> {
  const walk: Walk = { drive, behindLink: false, ...options }
  const taken = new Map<string, Set<string>>()
  for (const entry of chosen) {
    if (entry.path === base) {
      yield* inFolder(walk, entry.path, '')
      continue
    }
    yield* memberAt(walk, entry, nameFrom(base, entry.path, taken))
  }
}

interface Walk extends WalkOptions {
  readonly drive: Drive
  readonly behindLink: boolean
}

/** The safe name of a chosen node. Two names that became equal by being made safe are numbered. */
function nameFrom(base: FilePath, path: FilePath, taken: Map<string, Set<string>>): string {
  const segments = segmentsOf(pathFrom(base, path) ?? path)
  const folder = segments
    .slice(0, -1)
    .map((segment) => `${safeName(segment)}/`)
    .join('')
  const siblings = taken.get(folder) ?? new Set<string>()
  taken.set(folder, siblings)
  return folder + freeName(safeName(nameOf(path)), siblings)
}

async function* memberAt(walk: Walk, entry: Entry, name: string): AsyncGenerator<Member, void> {
  const { path, stat, target } = entry
  if (target === 'outside' || target === 'missing') return
  const inner = target === null ? walk : { ...walk, behindLink: true }
  const named = { name, modified: stat.modified, mode: stat.mode & 0o777 }
  if (name.length * 3 > MOST_NAME_BYTES) return walk.onSkipped(path, 'the name is too long')
  if (stat.kind === 'file') {
    if (isUtf8Path(path)) yield fileMember(entry, name)
    else walk.onSkipped(path, 'the name is not UTF-8')
    return
  }
  if (stat.kind !== 'folder') return
  if (target !== null && (walk.behindLink || (await leadsBack(walk.drive, entry)))) return
  yield { ...named, name: `${name}/`, kind: 'folder', size: 0, source: path }
  yield* inFolder(inner, path, `${name}/`)
}

/** Whether a link leads to a folder that contains it. */
async function leadsBack(drive: Drive, { path, stat }: Entry): Promise<boolean> {
  for (let at = path; at !== ROOT;) {
    at = parentOf(at)
    if ((await drive.stat(at)).stat.identity === stat.identity) return true
  }
  return false
}

async function* inFolder(walk: Walk, folder: FilePath, prefix: string): AsyncGenerator<Member, void> {
  const children = await childrenOf(walk, folder)
  if (children === null) return
  const pause = periodicYield(walk.signal)
  const safer = await saferNames(children.names, pause)
  for (const index of await orderByBytes(children.names, pause)) {
    const entry = childAt(children, folder, index)
    const name = prefix + (safer.get(index) ?? entry.name)
    // Most entries are plain files: no generator for them.
    if (entry.stat.kind === 'file' && entry.target === null && isPlain(entry.path, name)) yield fileMember(entry, name)
    else yield* memberAt(walk, entry, name)
  }
}

function isPlain(path: FilePath, name: string): boolean {
  return name.length * 3 <= MOST_NAME_BYTES && isUtf8Path(path)
}

function fileMember({ path, stat, target }: Entry, name: string): Member {
  const { size, modified, mode } = stat
  return { name, kind: 'file', size, modified, mode: mode & 0o777, source: path, linked: target !== null }
}

function childAt({ names, sizes, modified, modes, linked }: Children, folder: FilePath, index: number): Entry {
  const name = names.at(index) ?? ''
  const mode = modes[index] ?? 0
  const kind = kindOf(mode)
  // A link that has disappeared since it was listed leads nowhere.
  const target = kind === 'link' ? 'missing' : null
  const stat = { kind, size: sizes[index] ?? 0, modified: modified[index] ?? 0, mode, identity: '' }
  return linked.get(index) ?? { path: joinPath(folder, name), name, stat, target }
}

/** Null if the folder cannot be listed, which has been reported to the walk. */
async function childrenOf({ drive, signal, onSkipped }: Walk, folder: FilePath): Promise<Children | null> {
  try {
    return await drive.list(folder, { signal })
  } catch (error) {
    onSkipped(folder, reasonOf(error))
    return null
  }
}

/** Why an entry is missing, in English; other failures are failures of the archive. */
export function reasonOf(error: unknown): string {
  if (isAppError(error, 'not-found')) return 'not found'
  if (isAppError(error, 'forbidden') || isAppError(error, 'download-refused')) return 'permission denied'
  if (isAppError(error, 'invalid-input')) return 'the name cannot be read'
  if (isSystemError(error)) return error.code
  throw error
}

/** A failing disk: EIO and similar. */
function isSystemError(error: unknown): error is { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
}

/** A path as `_errors.txt` shows it: bytes that are not UTF-8 are escaped. */
export function shownPath(path: FilePath): string {
  return isUtf8Path(path) ? path : encodeFilePath(path)
}
