import { crc32 } from 'node:zlib'
import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, nameToBytes, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { resolveLinks } from './links.ts'
import { createMemoryKept } from './test-memory-kept.ts'
import { bytesBelow, columnsOf, mayReplace, type MemoryNode, newNode, openBytes, statOf } from './test-memory-node.ts'
import { createMemoryStaging } from './test-memory-staging.ts'
import { hasPrivateName, isPrivateName, refusePrivate } from './private-name.ts'
import { pathOf, type Storage } from './storage.ts'

export interface MemoryStorage extends Storage {
  /** Makes a link, like a program with access to the disk. An absolute target starts at the storage's root. */
  plantLink(path: FilePath, target: string): Promise<void>
}

const NAME_BYTES = 255

/** @param options.capacity maximum bytes; more is `storage-full` */
export function createMemoryStorage({ capacity = 2 ** 30 }: { capacity?: number } = {}): MemoryStorage {
  const root = newNode('folder', 0o750)
  const { keepOld, nodes, ...kept } = createMemoryKept({ find, put, parent })
  const used = (): number => [root, ...nodes()].reduce((sum, node) => sum + bytesBelow(node), 0)
  const staging = createMemoryStaging({ find, put, keepOld, room: () => capacity - used() })

  function find(path: FilePath): MemoryNode | null {
    let node: MemoryNode | undefined = root
    refusePrivate(path)
    for (const segment of segmentsOf(path)) {
      checkName(segment)
      node = node?.children.get(segment)
    }
    return node ?? null
  }

  function parent(path: FilePath): MemoryNode {
    const node = find(parentOf(path))
    return node?.kind === 'folder' ? node : fail('not-found', {})
  }

  function put(path: FilePath, node: MemoryNode): void {
    const folder = parent(path)
    refusePrivate(path)
    segmentsOf(path).forEach(checkName)
    folder.children.set(nameOf(path), node)
    folder.modified = Date.now()
  }

  return {
    ...staging,
    ...kept,
    privatePlaces: async (folder) => (folder === ROOT ? [{ path: ROOT, isVolume: true, isUsed: true, isLocal: true }] : []),
    onPrivateUse: () => undefined,
    learnVolumes: async () => undefined,
    async find(path, options) {
      const found = await resolveLinks(path, options, find)
      parent(found)
      const node = find(found)
      return { path: found, stat: node && statOf(node), [Symbol.dispose]: () => undefined }
    },
    async stat(where) {
      if (hasPrivateName(pathOf(where))) return null
      const node = find(pathOf(where))
      return node && statOf(node)
    },
    async list(where, options) {
      options?.signal?.throwIfAborted()
      return columnsOf(find(pathOf(where)) ?? fail('not-found', {}))
    },
    async open(where) {
      return openBytes(find(pathOf(where)) ?? fail('not-found', {}))
    },
    async readable(where, names) {
      const folder = find(pathOf(where))
      if (folder?.kind !== 'folder') fail('not-found', {})
      return Uint8Array.from(names, (name) => (!isPrivateName(name) && folder.children.has(name) ? 1 : 0))
    },
    async readSmall(where, names, { mostBytes }) {
      const folder = find(pathOf(where))
      if (folder?.kind !== 'folder') fail('not-found', {})
      const files = names.map((name) => {
        const node = isPrivateName(name) ? undefined : folder.children.get(name)
        return node?.kind === 'file' && node.bytes.length <= mostBytes ? node : null
      })
      return {
        bytes: Buffer.concat(files.map((file) => file?.bytes ?? new Uint8Array(0))),
        sizes: Int32Array.from(files, (file) => file?.bytes.length ?? -1),
        modified: Float64Array.from(files, (file) => file?.modified ?? 0),
        crcs: Uint32Array.from(files, (file) => crc32(file?.bytes ?? '')),
      }
    },
    async makeFolder(where) {
      const path = pathOf(where)
      if (find(path) !== null) fail('already-exists', { path })
      put(path, newNode('folder', 0o750))
    },
    async move(source, target, { replace, keep }) {
      const [from, to] = [pathOf(source), pathOf(target)]
      const node = find(from) ?? fail('not-found', {})
      if (from === ROOT || to === ROOT || (from !== to && isWithin(to, from))) fail('invalid-input', { issues: ['move: into itself'] })
      parent(to)
      const old = find(to)
      if (old !== null && !(replace && mayReplace(node, old))) fail('already-exists', { path: to })
      if (keep !== undefined && old?.kind === 'file' && old !== node) keepOld(old, nameOf(to), keep)
      parent(from).children.delete(nameOf(from))
      put(to, node)
      return true
    },
    async remove(where) {
      const path = pathOf(where)
      const node = find(path) ?? fail('not-found', {})
      if (path === ROOT || node.children.size > 0) fail('busy', {})
      parent(path).children.delete(nameOf(path))
    },
    async watch(where) {
      const path = pathOf(where)
      if (find(path)?.kind !== 'folder') fail('not-found', {})
      // No other program changes it.
      return null
    },
    async folderMark() {
      // Identities are never reused.
      return null
    },
    async space(where) {
      const path = pathOf(where)
      if (find(path) === null) fail('not-found', {})
      return { total: capacity, used: used() }
    },
    async plantLink(path, target) {
      put(path, { ...newNode('link', 0o777), target })
    },
  }
}

function checkName(name: string): void {
  if (nameToBytes(name).length > NAME_BYTES) fail('invalid-input', { issues: ['name: too long'] })
}
