import type { NodeKind, Stat } from './storage.ts'

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
