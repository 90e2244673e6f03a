import { bytesToName, type FilePath, joinPath, parseFilePath, ROOT } from '../../../shared/file-path.ts'
import { yieldToMain } from '../yield-to-main.ts'
import type { DroppedHandle } from './handles.ts'

/** The content of a drop event, which is only accessible during the event. */
export interface DropContents {
  readonly entries: readonly (FileSystemEntry | null)[]
  readonly files: readonly File[]
  /** File system handles of the entries, where the browser provides them. */
  readonly handles: readonly Promise<DroppedHandle | null>[]
}

/** A dropped or chosen file, or a folder (without `file`). `path` is relative to the destination. */
export interface Dropped {
  readonly path: FilePath
  readonly file: File | null
  /** Its file system handle, where the browser provides one. */
  readonly stored?: { readonly handle: DroppedHandle; readonly below: readonly string[] }
}

/** All files of a drop, folders before their content, including empty folders. */
export async function readDrop({ entries, files, handles }: DropContents): Promise<Dropped[]> {
  if (entries.every((entry) => entry === null)) return readPicked(files)
  const all: Dropped[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry === null) continue
    const found: Dropped[] = []
    await readEntry(entry, ROOT, found)
    const handle = (await handles[index]) ?? null
    for (const one of found) all.push(handle === null ? one : { ...one, stored: { handle, below: one.path.split('/').slice(2) } })
  }
  return all
}

/** Files of an `<input type=file>`; with `webkitdirectory`, preceded by their folders. */
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

/** Browsers read a file's size from disk on first access, blocking the main thread; yield after this time. */
const BUSY_MS = 12

/** Reads the size of all files, yielding in between. */
export async function loadSizes(dropped: readonly Dropped[]): Promise<void> {
  let until = performance.now() + BUSY_MS
  for (const { file } of dropped) {
    void file?.size
    if (performance.now() < until) continue
    await yieldToMain()
    until = performance.now() + BUSY_MS
  }
}

async function readEntry(entry: FileSystemEntry, parent: FilePath, found: Dropped[]): Promise<void> {
  // Non-Unicode file names contain lone surrogates, which requests cannot carry.
  const path = joinPath(parent, entry.name.isWellFormed() ? entry.name : bytesToName(new TextEncoder().encode(entry.name)))
  if (isFile(entry)) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) })
    return
  }
  found.push({ path, file: null })
  if (!isDirectory(entry)) return
  const reader = entry.createReader()
  // A call returns at most 100 entries; an empty array marks the end.
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
