import { fail } from '../../../shared/errors.ts'
import { type FilePath, parentOf, ROOT } from '../../../shared/file-path.ts'
import { createLru } from '../../../shared/lru.ts'
import { refusePrivate } from '../private-name.ts'
import type { Columns, ListOptions, Stat } from '../storage.ts'
import { isShowable, type Keys } from './keys.ts'
import type { S3Object, S3Objects } from './objects.ts'
import type { Pending } from './pending.ts'

/** An object store has no modes: everybody who reaches a node through Satchel does what their rights say. */
const FILE_MODE = 0o100640
const FOLDER_MODE = 0o040750
/** Folders that are known to have an object of their own. */
const MOST_MARKED = 10_000
const MOST_LEFT_OUT = 10

/** A node as the bucket shows it; the object of a file. */
export type S3Node =
  | { readonly kind: 'file'; readonly stat: Stat; readonly object: S3Object }
  | { readonly kind: 'folder'; readonly stat: Stat }

export interface Nodes {
  /** Null if nothing has the name. A file comes before a folder of the same name, which only other programs can make. */
  at(path: FilePath, signal?: AbortSignal): Promise<S3Node | null>
  isFolder(path: FilePath): Promise<boolean>
  /** Fails with `not-found`. */
  requireFolder(path: FilePath): Promise<void>
  list(path: FilePath, options?: ListOptions): Promise<Columns>
  /** The children of a prefix that belong to a folder. */
  listKeys(prefix: string, options?: ListOptions): Promise<Columns | null>
  /** Keeps a folder that may have lost its last child. */
  keepFolder(path: FilePath): Promise<void>
  /** Makes the object of a folder. */
  mark(path: FilePath, options?: { isNew: boolean }): Promise<void>
  unmarked(prefix: string): void
}

export function statOfObject({ key, size, modified, etag }: S3Object): Stat {
  return { kind: 'file', size, modified, mode: FILE_MODE, identity: `s3:${Bun.hash(key).toString(36)}:${etag}:${modified.toString(36)}` }
}

/** Listings do not tell when a folder was made or changed. */
export function statOfFolder(prefix: string): Stat {
  return { kind: 'folder', size: 0, modified: 0, mode: FOLDER_MODE, identity: `s3:${Bun.hash(prefix).toString(36)}:folder` }
}

interface NodesDeps {
  readonly objects: S3Objects
  readonly keys: Keys
  readonly pending: Pending
  readonly log: (line: string) => void
}

export function createNodes({ objects, keys, pending, log }: NodesDeps): Nodes {
  const marked = createLru<string, true>(MOST_MARKED)
  const leftOut = createLru<string, number>(MOST_LEFT_OUT)

  async function isFolder(path: FilePath): Promise<boolean> {
    const prefix = keys.folder(path)
    return path === ROOT || (!pending.isHidden(prefix) && (await objects.isAny(prefix)))
  }

  async function listKeys(prefix: string, { signal, identities }: ListOptions = {}): Promise<Columns | null> {
    const rows = new Map<string, Stat>()
    let hidden = 0
    let isThere = prefix === keys.root
    for await (const page of objects.pages(prefix, { ...(signal && { signal }) })) {
      isThere ||= page.objects.length + page.prefixes.length > 0
      for (const name of page.prefixes) {
        const child = name.slice(prefix.length, -1)
        if (!isShowable(child)) hidden += name === keys.hidden('') ? 0 : 1
        else if (!pending.isHidden(name) && !rows.has(child)) rows.set(child, statOfFolder(name))
      }
      for (const object of page.objects) {
        const child = object.key.slice(prefix.length)
        if (child === '') marked.set(prefix, true)
        else if (isShowable(child)) rows.set(child, statOfObject(object))
        else hidden++
      }
    }
    if (!isThere) return null
    if (hidden > 0 && leftOut.get(prefix) !== hidden) {
      leftOut.set(prefix, hidden)
      log(`S3: ${hidden} keys directly below ${JSON.stringify(prefix)} cannot be names of files and are left out`)
    }
    const stats = [...rows.values()]
    return {
      names: [...rows.keys()],
      sizes: Float64Array.from(stats, ({ size }) => size),
      modified: Float64Array.from(stats, ({ modified }) => modified),
      modes: Uint32Array.from(stats, ({ mode }) => mode),
      ...(identities === true && { identities: stats.map(({ identity }) => identity) }),
    }
  }

  async function mark(path: FilePath, { isNew }: { isNew: boolean } = { isNew: false }): Promise<void> {
    const prefix = keys.folder(path)
    await objects.put(prefix, new Uint8Array(0), { isNew })
    marked.set(prefix, true)
  }

  return {
    async at(path, signal) {
      refusePrivate(path)
      if (path === ROOT) return { kind: 'folder', stat: statOfFolder(keys.root) }
      const key = keys.file(path)
      if (pending.isHidden(key)) return null
      const object = await objects.head(key, signal)
      if (object !== null) return { kind: 'file', stat: statOfObject(object), object }
      return (await isFolder(path)) ? { kind: 'folder', stat: statOfFolder(keys.folder(path)) } : null
    },
    isFolder,
    async requireFolder(path) {
      refusePrivate(path)
      if (!(await isFolder(path))) fail('not-found', {})
    },
    async list(path, options) {
      refusePrivate(path)
      const prefix = keys.folder(path)
      const columns = pending.isHidden(prefix) ? null : await listKeys(prefix, options)
      return columns ?? fail('not-found', {})
    },
    listKeys,
    async keepFolder(path) {
      const folder = parentOf(path)
      const prefix = keys.folder(folder)
      if (folder === ROOT || marked.get(prefix) === true) return
      if (await objects.isAny(prefix)) return
      await mark(folder)
    },
    mark,
    unmarked: (prefix) => marked.delete(prefix),
  }
}
