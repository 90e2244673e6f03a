import type { Client } from '../../../shared/contract/client.ts'
import type { api } from '../../../shared/contract/index.ts'
import { ROW_FOLDER, type Rows } from '../../../shared/contract/resources.ts'
import { isAppError } from '../../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, placeUnder } from '../../../shared/file-path.ts'
import type { Dropped } from './dropped.ts'

/** A name that already exists where a file is to be uploaded. */
export interface Conflict {
  readonly path: FilePath
  readonly file: File
  /** The existing entry; sizes in bytes, times in milliseconds since 1970. */
  readonly existing: { readonly size: number; readonly modified: number; readonly isFolder: boolean }
}

/** Reads a folder; null if it does not exist. */
export type ReadFolder = (path: FilePath) => Promise<Rows | null>

/** Finds files whose name is taken, by reading each existing destination folder once, before any upload. @param target the destination folder */
export async function findConflicts(target: FilePath, dropped: readonly Dropped[], read: ReadFolder): Promise<Conflict[]> {
  const folders = new Map<FilePath, Promise<Map<string, Conflict['existing']> | null>>()
  function childrenOf(folder: FilePath): Promise<Map<string, Conflict['existing']> | null> {
    const known = folders.get(folder) ?? readChildren(folder)
    folders.set(folder, known)
    return known
  }
  async function readChildren(folder: FilePath): Promise<Map<string, Conflict['existing']> | null> {
    // A missing folder has no children.
    if (folder !== target) {
      const around = await childrenOf(parentOf(folder))
      if (around?.get(nameOf(folder))?.isFolder !== true) return null
    }
    const rows = await read(folder)
    return rows === null ? null : childrenByName(rows)
  }
  const conflicts: Conflict[] = []
  for (const { path, file } of dropped) {
    if (file === null) continue
    const place = placeUnder(target, path)
    const existing = (await childrenOf(parentOf(place)))?.get(nameOf(place))
    if (existing !== undefined) conflicts.push({ path: place, file, existing })
  }
  return conflicts
}

/** `ReadFolder` with the API client. */
export function readFolderWith(client: Pick<Client<typeof api>, 'resources'>): ReadFolder {
  return async (path) => {
    try {
      const answer = await client.resources.rows({ params: { path } })
      return 'kind' in answer ? answer : null
    } catch (error) {
      if (isAppError(error, 'not-found')) return null
      throw error
    }
  }
}

function childrenByName({ names, sizes, modifieds, types }: Rows): Map<string, Conflict['existing']> {
  return new Map(
    names.map((name, i) => [name, { size: sizes[i] ?? 0, modified: modifieds[i] ?? 0, isFolder: ((types[i] ?? 0) & ROW_FOLDER) !== 0 }]),
  )
}
