import { constants } from 'node:os'
import {
  type Attributes,
  attributesBody,
  createBody,
  entryBody,
  initBody,
  namesIn,
  openBody,
  OPCODES,
  readdirBody,
  type Request,
  statfsBody,
  writeBody,
} from './protocol.ts'

const { ENOENT, EEXIST, EINVAL, ENOSYS, ENOTEMPTY } = constants.errno
const FOLDER = 0o040000
const FILE = 0o100000
const NONE = new Uint8Array()
/** Which attributes SETATTR sets. */
const SETS = { mode: 1, size: 8, modified: 32 }

interface Node extends Attributes {
  mode: number
  size: number
  modified: number
  content: Buffer
  readonly children: Map<string, Node>
}

/** An error number of the system. */
export class Refusal extends Error {
  readonly errno: number
  constructor(errno: number) {
    super(`error ${errno}`)
    this.errno = errno
  }
}

/** A small tree in memory that answers requests. @returns what does one, and gives the body of the answer */
export function createTree(): (request: Request) => Uint8Array {
  const nodes = new Map<bigint, Node>()
  let last = 0n
  const root = add(FOLDER | 0o755)

  function add(mode: number): Node {
    const node: Node = { id: ++last, mode, size: 0, modified: Date.now(), content: Buffer.alloc(0), children: new Map() }
    nodes.set(node.id, node)
    return node
  }

  const nodeOf = (id: bigint): Node => nodes.get(id) ?? refuse(ENOENT)

  function make(parent: Node, name: string, mode: number): Node {
    if (parent.children.has(name)) refuse(EEXIST)
    const node = add(mode)
    parent.children.set(name, node)
    return node
  }

  function remove(parent: Node, name: string): void {
    const node = parent.children.get(name) ?? refuse(ENOENT)
    if (node.children.size > 0) refuse(ENOTEMPTY)
    parent.children.delete(name)
  }

  function rename(from: Node, to: Node, names: readonly string[], mustBeNew: boolean): void {
    const [name = '', newName = ''] = names
    const node = from.children.get(name) ?? refuse(ENOENT)
    if (mustBeNew && to.children.has(newName)) refuse(EEXIST)
    from.children.delete(name)
    to.children.set(newName, node)
  }

  function resize(node: Node, size: number): void {
    const content = Buffer.alloc(size)
    node.content.copy(content)
    node.content = content
    node.size = size
  }

  function setAttributes(node: Node, body: DataView): void {
    const sets = body.getUint32(0, true)
    if ((sets & SETS.size) !== 0) resize(node, Number(body.getBigUint64(16, true)))
    if ((sets & SETS.modified) !== 0) node.modified = Number(body.getBigUint64(40, true)) * 1000
    if ((sets & SETS.mode) !== 0) node.mode = body.getUint32(68, true)
  }

  function write(node: Node, body: DataView): Uint8Array {
    const at = Number(body.getBigUint64(8, true))
    const bytes = new Uint8Array(body.buffer, body.byteOffset + 40, body.getUint32(16, true))
    if (at + bytes.length > node.size) resize(node, at + bytes.length)
    node.content.set(bytes, at)
    node.modified = Date.now()
    return writeBody(bytes.length)
  }

  function read(node: Node, body: DataView): Uint8Array {
    const at = Number(body.getBigUint64(8, true))
    const room = body.getUint32(16, true)
    if ((node.mode & FOLDER) === 0) return node.content.subarray(at, at + room)
    const dots = ['.', '..'].map((name) => ({ ...node, name }))
    const entries = [...node.children].map(([name, child]) => ({ ...child, name }))
    return readdirBody([...dots, ...entries], at, room)
  }

  return ({ opcode, node: id, body }) => {
    if (opcode === OPCODES.INIT) return initBody()
    if (opcode === OPCODES.STATFS) return statfsBody()
    const node = id === root.id ? root : nodeOf(id)
    const [name = ''] = namesIn(body, 0)
    switch (opcode) {
      case OPCODES.LOOKUP:
        return entryBody(node.children.get(name) ?? refuse(ENOENT))
      case OPCODES.GETATTR:
        return attributesBody(node)
      case OPCODES.SETATTR:
        setAttributes(node, body)
        return attributesBody(node)
      case OPCODES.MKDIR:
        return entryBody(make(node, namesIn(body, 8)[0] ?? '', FOLDER | body.getUint32(0, true)))
      case OPCODES.CREATE:
        return createBody(make(node, namesIn(body, 16)[0] ?? '', FILE | body.getUint32(4, true)))
      case OPCODES.UNLINK:
      case OPCODES.RMDIR:
        remove(node, name)
        return NONE
      case OPCODES.RENAME:
        rename(node, nodeOf(body.getBigUint64(0, true)), namesIn(body, 8), false)
        return NONE
      case OPCODES.RENAME2:
        // No exchange.
        if (body.getUint32(8, true) > 1) refuse(EINVAL)
        rename(node, nodeOf(body.getBigUint64(0, true)), namesIn(body, 16), (body.getUint32(8, true) & 1) !== 0)
        return NONE
      case OPCODES.OPEN:
      case OPCODES.OPENDIR:
        return openBody()
      case OPCODES.READ:
      case OPCODES.READDIR:
        return read(node, body)
      case OPCODES.WRITE:
        return write(node, body)
      case OPCODES.RELEASE:
      case OPCODES.RELEASEDIR:
      case OPCODES.FLUSH:
      case OPCODES.FSYNC:
      case OPCODES.FSYNCDIR:
        return NONE
      default:
        return refuse(ENOSYS)
    }
  }
}

function refuse(errno: number): never {
  throw new Refusal(errno)
}
