import type { Permissions, Rule } from '../../shared/contract/users.ts'
import { type FilePath, joinPath, parentOf, parseFilePath as at, placeUnder, ROOT } from '../../shared/file-path.ts'
import { fail } from '../../shared/errors.ts'
import type { Access } from '../access/access.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import { createMemoryStorage, type MemoryStorage } from '../storage/test-memory-storage.ts'
import { write } from '../storage/test-samples.ts'
import { pathOf, type Storage, type Where } from '../storage/storage.ts'
import { type Drive, openDrive } from './drive.ts'

export const PLAIN = { replace: false, rename: false }
export const REPLACE = { replace: true, rename: false }
export const RENAME = { replace: false, rename: true }

export function deny(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

export function allow(path: string): Rule {
  return { regex: false, allow: true, path, regexp: null }
}

export interface Who {
  scope?: string
  start?: string
  may?: Partial<Permissions>
  rules?: Rule[]
  hideDotfiles?: boolean
}

/** Everything but administration, unless said otherwise. */
export function accessOf({ scope = '/', start = '/', may, rules = [], hideDotfiles = false }: Who = {}): Access {
  return {
    scope: at(scope),
    start: at(start),
    may: { ...ALL_RIGHTS, admin: false, ...may },
    rules: compileRules([], rules, { hideDotfiles }),
    hideDotfiles,
  }
}

export function driveOn(storage: Storage, who?: Who): Drive {
  return openDrive(storage, accessOf(who))
}

/** A tree from its files; a path with a trailing slash is a folder, a text `→ x` a link to x. */
export async function plant(tree: Record<string, string>): Promise<MemoryStorage> {
  const storage = createMemoryStorage()
  for (const [path, content] of Object.entries(tree)) {
    await makeParents(storage, path.endsWith('/') ? at(path) : parentOf(at(path)))
    if (path.endsWith('/')) continue
    await (content.startsWith('→ ') ? storage.plantLink(at(path), content.slice(2)) : write(storage, at(path), content))
  }
  return storage
}

/** The tree back again, in the order of names, with nothing left out. */
export async function manifest(storage: Storage, folder: FilePath = ROOT): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of [...(await storage.list(folder)).names].sort()) {
    const path = joinPath(folder, name)
    const kind = (await storage.stat(path))?.kind
    if (kind === 'folder') Object.assign(found, { [`${path}/`]: '' }, await manifest(storage, path))
    else found[path] = kind === 'file' ? await text(storage, path) : `(${kind})`
  }
  return found
}

export async function bytes(drive: Drive, path: FilePath, content: string): ReturnType<Drive['stage']> {
  const staged = await drive.stage(path, { id: crypto.randomUUID() })
  await staged.append(new TextEncoder().encode(content))
  return staged
}

export async function put(drive: Drive, path: string, content: string, options = { replace: false }): Promise<void> {
  await drive.put(at(path), await bytes(drive, at(path), content), options)
}

export async function namesIn(drive: Drive, path: string): Promise<string[]> {
  return [...(await drive.list(at(path))).names].sort()
}

export async function walked(drive: Drive, path = '/'): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of drive.walk(at(path))) paths.push(entry.path)
  return paths
}

/** A storage of which everything under `mount` is another file system: nothing can be renamed into it or out of it. */
export function withMount(storage: MemoryStorage, mount: FilePath): Storage {
  const isMounted = (path: FilePath): boolean => path.startsWith(`${mount}/`)
  return {
    ...storage,
    move: async (from, to, options) => isMounted(pathOf(from)) === isMounted(pathOf(to)) && storage.move(from, to, options),
    keepingVolume: async (where) => (isMounted(pathOf(where)) || pathOf(where) === mount ? null : storage.keepingVolume(where)),
    keep: async (where, kept) => (isMounted(pathOf(where)) ? null : storage.keep(where, kept)),
    restoreKept: async (kept, to, options) => !isMounted(pathOf(to)) && storage.restoreKept(kept, to, options),
  }
}

/** A storage that does not let go of `path`. */
export function locking(storage: MemoryStorage, path: string): MemoryStorage {
  const isLocked = (asked: Where): boolean => pathOf(asked) === path
  const refuse = (): never => fail('forbidden', { right: 'file-system' })
  return {
    ...storage,
    remove: async (asked) => (isLocked(asked) ? refuse() : storage.remove(asked)),
    keep: async (asked, kept) => (isLocked(asked) ? refuse() : storage.keep(asked, kept)),
  }
}

/** A storage whose names differ by more than their case, and that tells the true one. */
export function caseBlind(storage: MemoryStorage): Storage {
  async function trueName(where: Where): Promise<FilePath> {
    const path = pathOf(where)
    if (path === ROOT) return ROOT
    const folder = await trueName(parentOf(path))
    const asked = path.slice(parentOf(path).length).replace('/', '')
    const { names } = await storage.list(folder)
    return joinPath(folder, [...names].find((name) => name.toLowerCase() === asked.toLowerCase()) ?? asked)
  }
  return {
    ...storage,
    find: async (path, options) => storage.find(placeUnder(ROOT, await trueName(path)), options),
    stat: async (where) => storage.stat(await trueName(where)),
    open: async (where) => storage.open(await trueName(where)),
    list: async (where, options) => storage.list(await trueName(where), options),
    move: async (from, to, options) => {
      const [source, target] = [await trueName(from), await trueName(to)]
      return storage.move(source, source === target ? to : target, options)
    },
    makeFolder: async (where) => storage.makeFolder(await trueName(where)),
    keepingVolume: async (where) => storage.keepingVolume(await trueName(where)),
    keep: async (where, kept) => storage.keep(await trueName(where), kept),
    restoreKept: async (kept, to, options) => storage.restoreKept(kept, await trueName(to), options),
  }
}

async function makeParents(storage: Storage, path: FilePath): Promise<void> {
  if ((await storage.stat(path)) !== null) return
  await makeParents(storage, parentOf(path))
  await storage.makeFolder(path)
}

async function text(storage: Storage, path: FilePath): Promise<string> {
  await using file = await storage.open(path)
  return await new Response(file.stream(0, file.stat.size)).text()
}
