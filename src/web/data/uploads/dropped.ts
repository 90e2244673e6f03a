import { bytesToName, type FilePath, joinPath, parseFilePath, ROOT } from '../../../shared/file-path.ts'
import { yieldToMain } from '../yield-to-main.ts'
import type { DroppedHandle } from './handles.ts'
import type { Held } from './start.ts'

/** Something that was dropped or picked: a file, or a folder (no file). `path` is relative to where it was dropped. */
export interface Dropped {
  readonly path: FilePath
  readonly file: File | null
  /** The way to the file beyond this page, where the browser knows one. */
  readonly kept?: { readonly handle: DroppedHandle; readonly below: readonly string[] }
}

/** Everything in a drop, folders before their content, empty folders kept. */
export async function readDrop({ entries, files, handles }: Held): Promise<Dropped[]> {
  if (entries.every((entry) => entry === null)) return readPicked(files)
  const all: Dropped[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry === null) continue
    const found: Dropped[] = []
    await readEntry(entry, ROOT, found)
    const handle = (await handles[index]) ?? null
    for (const one of found) all.push(handle === null ? one : { ...one, kept: { handle, below: one.path.split('/').slice(2) } })
  }
  return all
}

/** The files of an `<input type=file>`; with `webkitdirectory` they carry their folders, which come first. */
export function readPicked(files: readonly File[]): Dropped[] {
  const found = new Map<string, Dropped>()
  for (const file of files) {
    const path = parseFilePath(file.webkitRelativePath === '' ? file.name : file.webkitRelativePath)
    const segments = path.slice(1).split('/')
    for (let depth = 1; depth < segments.length; depth++) {
      const folder = parseFilePath(segments.slice(0, depth).join('/'))
      if (!found.has(folder)) found.set(folder, { path: folder, file: null })
    }
    found.set(path, { path, file })
  }
  return [...found.values()]
}

/** A browser looks a picked file's size up on the disk when it is asked for the first time, and the page stands still until it knows. */
const LOOKING_MS = 12

/** Asks all of them for their size, with rests in between. */
export async function lookAtSizes(dropped: readonly Dropped[]): Promise<void> {
  let until = performance.now() + LOOKING_MS
  for (const { file } of dropped) {
    void file?.size
    if (performance.now() < until) continue
    await yieldToMain()
    until = performance.now() + LOOKING_MS
  }
}

async function readEntry(entry: FileSystemEntry, parent: FilePath, found: Dropped[]): Promise<void> {
  // A name may hold lone surrogates where the desktop's was not Unicode; they are made well-formed, or no request could carry them.
  const path = joinPath(parent, entry.name.isWellFormed() ? entry.name : bytesToName(new TextEncoder().encode(entry.name)))
  if (isFile(entry)) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) })
    return
  }
  found.push({ path, file: null })
  if (!isDirectory(entry)) return
  const reader = entry.createReader()
  // One call answers at most a hundred; an empty answer is the end.
  for (let batch = await readBatch(reader); batch.length > 0; batch = await readBatch(reader)) {
    await Promise.all(batch.filter(isFile).map((child) => readEntry(child, path, found)))
    for (const child of batch) if (!isFile(child)) await readEntry(child, path, found)
  }
}

function readBatch(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject))
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
