import { fail } from '../../shared/errors.ts'
import type { Columns, NodeKind, OpenFile, Stat } from './storage.ts'

export interface MemoryNode {
  kind: NodeKind
  bytes: Uint8Array
  target: string
  modified: number
  mode: number
  readonly identity: string
  readonly children: Map<string, MemoryNode>
}

const TYPE_BITS = { file: 0o100000, folder: 0o040000, link: 0o120000, special: 0o010000 } satisfies Record<NodeKind, number>
let serial = 0

export function newNode(kind: NodeKind, permissions: number): MemoryNode {
  return {
    kind,
    bytes: new Uint8Array(0),
    target: '',
    modified: Date.now(),
    mode: TYPE_BITS[kind] | permissions,
    identity: `memory:${++serial}`,
    children: new Map(),
  }
}

export function statOf({ kind, bytes, target, modified, mode, identity }: MemoryNode): Stat {
  return { kind, size: kind === 'link' ? target.length : bytes.length, modified, mode, identity }
}

export function columnsOf(node: MemoryNode): Columns {
  if (node.kind !== 'folder') fail('not-found', {})
  const nodes = [...node.children.values()].map(statOf)
  return {
    names: [...node.children.keys()],
    sizes: Float64Array.from(nodes, (stat) => stat.size),
    modified: Float64Array.from(nodes, (stat) => stat.modified),
    modes: Uint32Array.from(nodes, (stat) => stat.mode),
    identities: nodes.map((stat) => stat.identity),
  }
}

export function openBytes(node: MemoryNode): OpenFile {
  if (node.kind !== 'file') fail('not-found', {})
  const { bytes } = node
  const close = async (): Promise<void> => undefined
  return {
    stat: statOf(node),
    descriptor: null,
    slice: (start, end) => new Blob([bytes.slice(start, end)]),
    stream: (start, end) => new Blob([bytes.slice(start, end)]).stream(),
    readNow: (start, end) => bytes.slice(start, end),
    peek: async (start, length) => bytes.slice(start, start + length),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Whether a rename can replace `old` by `node`. */
export function mayReplace(node: MemoryNode, old: MemoryNode): boolean {
  if (node === old) return true
  return old.kind === 'folder' ? node.kind === 'folder' && old.children.size === 0 : node.kind !== 'folder'
}

export function bytesBelow(node: MemoryNode): number {
  let sum = node.bytes.length
  for (const child of node.children.values()) sum += bytesBelow(child)
  return sum
}
