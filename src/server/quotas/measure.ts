import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { type Columns, type Kept, kindOf, type Storage } from '../storage/storage.ts'
import type { Amount } from './store.ts'

/** Others are let in after so many folders. */
const FOLDERS_AT_ONCE = 50

/** Everything in a folder, without the folder itself. Links count with their own size, and each hard link counts. */
export function measureBelow(storage: Pick<Storage, 'list'>, folder: FilePath, signal?: AbortSignal): Promise<Amount> {
  return measured((path) => storage.list(path, signal === undefined ? {} : { signal }), folder)
}

/** A node of the tree with everything below it; nothing if there is none. */
export async function measureNode(storage: Pick<Storage, 'list' | 'stat'>, path: FilePath): Promise<Amount> {
  const stat = await storage.stat(path)
  if (stat === null) return { bytes: 0, files: 0 }
  return stat.kind === 'folder' ? withItself(await measureBelow(storage, path)) : { bytes: stat.size, files: 1 }
}

/** The same for a kept node. */
export async function measureKept(storage: Pick<Storage, 'listKept' | 'statKept'>, kept: Kept): Promise<Amount> {
  const stat = await storage.statKept(kept)
  if (stat === null) return { bytes: 0, files: 0 }
  return stat.kind === 'folder' ? withItself(await measured((path) => storage.listKept(kept, path), ROOT)) : { bytes: stat.size, files: 1 }
}

function withItself({ bytes, files }: Amount): Amount {
  return { bytes, files: files + 1 }
}

async function measured(list: (folder: FilePath) => Promise<Columns>, top: FilePath): Promise<Amount> {
  const waiting = [top]
  let [bytes, files] = [0, 0]
  for (let done = 1; ; done++) {
    const folder = waiting.pop()
    if (folder === undefined) return { bytes, files }
    const columns = await readable(list, folder)
    if (columns === null) continue
    const { names, sizes, modes } = columns
    files += names.length
    for (const row of names.keys()) {
      if (kindOf(modes[row] ?? 0) === 'folder') waiting.push(joinPath(folder, names.at(row) ?? ''))
      else bytes += sizes[row] ?? 0
    }
    if (done % FOLDERS_AT_ONCE === 0) await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

/** Null if the folder has gone, or cannot be read. */
async function readable(list: (folder: FilePath) => Promise<Columns>, folder: FilePath): Promise<Columns | null> {
  try {
    return await list(folder)
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
    throw error
  }
}
