import type { PhotosLine } from '../../shared/contract/photos.ts'
import { type FilePath, joinPath, parentOf } from '../../shared/file-path.ts'
import { nullOn } from '../../shared/errors.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Drive } from '../drive/drive.ts'
import { kindOf } from '../drive/entry.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { visibleBelow } from '../sizes/visible-below.ts'
import { type FileVersion, knownOf, type KnownPhoto } from './fact-store.ts'
import { isPhoto, type Photos, takenOf } from './photos.ts'

export interface PhotoLimits {
  /** Most photos in one list. */
  readonly files: number
  /** Files that one request reads: the next one goes on. */
  readonly reads: number
  readonly ms: number
}

export const PHOTO_LIMITS: PhotoLimits = { files: 500_000, reads: 100_000, ms: 15 * 60_000 }

export interface PhotosTask {
  readonly path: FilePath
  readonly recursive: boolean
  readonly places: boolean
  /** Whether files that nobody has read yet are read. */
  readonly read: boolean
  /** The current Drive, with the right to download; null if that has ended. */
  readonly drive: () => Promise<Drive | null>
  readonly clientKey: string
  readonly signal: AbortSignal
  readonly limits?: PhotoLimits
}

interface Photo {
  readonly folder: FilePath
  readonly name: string
  readonly version: FileVersion
}

/** Files that are read before their line is sent. */
const READ_TOGETHER = 32

/**
 * The photos and films in a folder, or below it: first all of them with what is known, then those that are read now. What a viewer may not see or
 * download is left out, folder by folder, as of the moment when its line is made.
 */
export async function* photosBelow(index: TreeIndex, photos: Photos, task: PhotosTask): AsyncGenerator<PhotosLine, void> {
  const { limits = PHOTO_LIMITS } = task
  const late = AbortSignal.timeout(limits.ms)
  try {
    yield* listBelow(index, photos, { ...task, limits, signal: AbortSignal.any([task.signal, late]) })
  } catch (error) {
    if (!late.aborted || task.signal.aborted) throw error
    yield { end: true, cut: 'time' }
  }
}

async function* listBelow(index: TreeIndex, photos: Photos, task: Required<PhotosTask>): AsyncGenerator<PhotosLine, void> {
  const { path, recursive, limits, signal } = task
  const first = await task.drive()
  if (first === null) return
  const unread: Photo[] = []
  let listed = 0
  let isCut = false
  // SQLite answers at once: without it, a long folder would keep everybody waiting.
  const turn = periodicYield(signal)
  for (const folder of recursive ? await foldersBelow(index, first, path, signal) : [path]) {
    signal.throwIfAborted()
    const drive = await task.drive()
    if (drive === null) return
    const found = await photosIn(drive, folder, signal)
    const room = limits.files - listed
    isCut ||= found.length > room
    const taken = found.slice(0, room)
    listed += taken.length
    for (let at = 0; at < taken.length; at += photos.store.queryRows) {
      const some = taken.slice(at, at + photos.store.queryRows)
      await turn()
      const known = await photos.store.find(some.map(({ version }) => version))
      yield lineOf(
        folder,
        some.map((photo, row) => ({ ...photo, known: known[row] ?? null })),
        task,
      )
      for (const [row, photo] of some.entries()) if (known[row] === null) unread.push(photo)
    }
    if (isCut) break
  }
  yield { unread: unread.length }
  if (task.read) {
    isCut ||= unread.length > limits.reads
    yield* readNow(photos, unread.slice(0, limits.reads), task)
  }
  yield { end: true, cut: isCut ? 'files' : null }
}

/** Reads files, and says what they tell; what cannot be read stays as it was listed. */
async function* readNow(photos: Photos, unread: readonly Photo[], task: PhotosTask): AsyncGenerator<PhotosLine, void> {
  for (let at = 0; at < unread.length; at += READ_TOGETHER) {
    task.signal.throwIfAborted()
    const drive = await task.drive()
    if (drive === null) return
    const some = unread.slice(at, at + READ_TOGETHER)
    const read = await Promise.all(some.map((photo) => photos.read(drive, joinPath(photo.folder, photo.name), task)))
    await photos.store.keep(read.filter((one) => one !== null))
    const told = some.flatMap((photo, row) => {
      const one = read[row] ?? null
      return one === null ? [] : [{ ...photo, version: one.version, known: knownOf(one.facts) }]
    })
    for (const [folder, rows] of Map.groupBy(told, (one) => one.folder)) yield lineOf(folder, rows, task)
  }
}

/** Folders with photos, in order of the index; from the disk if it does not know them. */
async function foldersBelow(index: TreeIndex, drive: Drive, path: FilePath, signal: AbortSignal): Promise<Iterable<FilePath>> {
  const folders = new Set<FilePath>()
  const subtree = await drive.subtree(path)
  const nodes = await visibleBelow(index, subtree, { signal })
  if (nodes === null) {
    const wants = ({ kind, name }: { kind: string; name: string }): boolean => kind !== 'folder' && isPhoto(name)
    for await (const node of drive.walk(path, { signal, wants })) folders.add(parentOf(node.path))
  } else
    for await (const node of nodes) {
      if (node.kind !== 'folder' && isPhoto(node.path)) folders.add(parentOf(subtree.pathOf(node.path)))
    }
  return folders
}

/** As they are on the disk, links included; nothing if the folder has gone. */
async function photosIn(drive: Drive, folder: FilePath, signal: AbortSignal): Promise<Photo[]> {
  const subtree = await nullOn('not-found', drive.subtree(folder))
  const children = subtree && (await nullOn('not-found', drive.list(folder, { signal, identities: true })))
  if (subtree === null || children === null) return []
  const { names, sizes, modified, modes, identities, linked } = children
  const turn = periodicYield(signal)
  const found: Photo[] = []
  for (const row of names.keys()) {
    if (row % 256 === 0) await turn()
    const name = names.at(row) ?? ''
    // What is not UTF-8 cannot be opened.
    if (!isPhoto(name) || !name.isWellFormed()) continue
    const kind = kindOf(modes[row] ?? 0)
    if (kind === 'link') {
      const entry = linked.get(row)
      if (entry?.target !== 'inside' || entry.stat.kind !== 'file') continue
      const rights = await nullOn('not-found', drive.rights(entry.path))
      if (rights?.download === true) found.push({ folder, name, version: entry.stat })
    } else if (kind === 'file' && subtree.may('download', joinPath(subtree.node, name))) {
      const identity = identities?.at(row) ?? ''
      if (identity !== '') found.push({ folder, name, version: { identity, size: sizes[row] ?? 0, modified: modified[row] ?? 0 } })
    }
  }
  return found
}

function lineOf(folder: FilePath, rows: readonly (Photo & { known: KnownPhoto | null })[], { places }: { places: boolean }): PhotosLine {
  const taken = rows.map(({ name, version, known }) =>
    takenOf(known === null || known.taken === null ? null : { local: known.taken, offset: known.taken_offset }, {
      name,
      modified: version.modified,
    }),
  )
  return {
    folder,
    names: rows.map(({ name }) => name),
    taken: taken.map((one) => Math.round(one.taken)),
    offsets: taken.map(({ offset }) => offset),
    from: taken.map(({ takenFrom }) => takenFrom.charAt(0)).join(''),
    widths: rows.map(({ known }) => known?.width ?? 0),
    heights: rows.map(({ known }) => known?.height ?? 0),
    ...(places && {
      latitudes: rows.map(({ known }) => known?.latitude ?? null),
      longitudes: rows.map(({ known }) => known?.longitude ?? null),
    }),
  }
}
