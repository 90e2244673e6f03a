/** What of the protocol of /dev/fuse a small disk needs (linux/fuse.h, version 7.31). */
export const OPCODES = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  MKDIR: 9,
  UNLINK: 10,
  RMDIR: 11,
  RENAME: 12,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  FSYNCDIR: 30,
  CREATE: 35,
  INTERRUPT: 36,
  BATCH_FORGET: 42,
  RENAME2: 45,
} as const

/** Nobody waits for an answer to these. */
export const UNANSWERED: readonly number[] = [OPCODES.FORGET, OPCODES.INTERRUPT, OPCODES.BATCH_FORGET]

const IN_HEADER_BYTES = 40
const OUT_HEADER_BYTES = 16
const MINOR_VERSION = 31
/** Reads and writes at the same time, many lookups in one folder at the same time, writes of more than a page. */
const INIT_FLAGS = 0x1 | 0x40000 | 0x20
export const MAX_WRITE_BYTES = 128 * 1024
/** Nothing is kept in the kernel's memory: each read asks the disk. */
const DIRECT_IO = 1
const BLOCK_BYTES = 4096

export interface Request {
  readonly opcode: number
  readonly unique: bigint
  readonly node: bigint
  /** What belongs to the operation. */
  readonly body: DataView
}

/** A node as its attributes tell of it. */
export interface Attributes {
  readonly id: bigint
  readonly mode: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

export function requestFrom(bytes: Uint8Array): Request {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    opcode: head.getUint32(4, true),
    unique: head.getBigUint64(8, true),
    node: head.getBigUint64(16, true),
    body: new DataView(bytes.buffer, bytes.byteOffset + IN_HEADER_BYTES, bytes.byteLength - IN_HEADER_BYTES),
  }
}

/** @param error an error number of the system; 0 for none */
export function reply(unique: bigint, error: number, body: Uint8Array): Uint8Array {
  const message = new Uint8Array(OUT_HEADER_BYTES + body.length)
  const head = new DataView(message.buffer)
  head.setUint32(0, message.length, true)
  head.setInt32(4, -error, true)
  head.setBigUint64(8, unique, true)
  message.set(body, OUT_HEADER_BYTES)
  return message
}

export function initBody(): Uint8Array {
  const { bytes, view } = fields(64)
  view.setUint32(0, 7, true)
  view.setUint32(4, MINOR_VERSION, true)
  view.setUint32(8, MAX_WRITE_BYTES, true)
  view.setUint32(12, INIT_FLAGS, true)
  // How many requests may be under way at a time.
  view.setUint16(16, 1000, true)
  view.setUint16(18, 1000, true)
  view.setUint32(20, MAX_WRITE_BYTES, true)
  view.setUint32(24, 1, true)
  return bytes
}

/** The kernel keeps neither names nor attributes (both are valid for no time), so that each operation asks. */
export function entryBody(node: Attributes): Uint8Array {
  const { bytes, view } = fields(40)
  view.setBigUint64(0, node.id, true)
  return joined(bytes, attributes(node))
}

export function attributesBody(node: Attributes): Uint8Array {
  return joined(new Uint8Array(16), attributes(node))
}

export function openBody(): Uint8Array {
  const { bytes, view } = fields(16)
  view.setUint32(8, DIRECT_IO, true)
  return bytes
}

export function createBody(node: Attributes): Uint8Array {
  return joined(entryBody(node), openBody())
}

export function writeBody(length: number): Uint8Array {
  const { bytes, view } = fields(8)
  view.setUint32(0, length, true)
  return bytes
}

export function statfsBody(): Uint8Array {
  const { bytes, view } = fields(80)
  const blocks = [0, 8, 16]
  for (const at of blocks) view.setBigUint64(at, 1n << 20n, true)
  view.setUint32(40, BLOCK_BYTES, true)
  view.setUint32(44, 255, true)
  view.setUint32(48, BLOCK_BYTES, true)
  return bytes
}

/** As many entries from `from` on as there is room for. */
export function readdirBody(entries: readonly (Attributes & { name: string })[], from: number, room: number): Uint8Array {
  const parts: Uint8Array[] = []
  let used = 0
  for (const [index, { name, id, mode }] of entries.entries()) {
    if (index < from) continue
    const text = new TextEncoder().encode(name)
    const { bytes, view } = fields(Math.ceil((24 + text.length) / 8) * 8)
    view.setBigUint64(0, id, true)
    view.setBigUint64(8, BigInt(index + 1), true)
    view.setUint32(16, text.length, true)
    view.setUint32(20, mode >> 12, true)
    bytes.set(text, 24)
    if (used + bytes.length > room) break
    used += bytes.length
    parts.push(bytes)
  }
  return joined(...parts)
}

/** Texts that end with NUL. */
export function namesIn(body: DataView, from: number): string[] {
  const bytes = new Uint8Array(body.buffer, body.byteOffset + from, body.byteLength - from)
  return new TextDecoder().decode(bytes).split('\0')
}

function attributes({ id, size, modified, mode }: Attributes): Uint8Array {
  const { bytes, view } = fields(88)
  const seconds = BigInt(Math.floor(modified / 1000))
  view.setBigUint64(0, id, true)
  view.setBigUint64(8, BigInt(size), true)
  view.setBigUint64(16, BigInt(Math.ceil(size / 512)), true)
  for (const at of [24, 32, 40]) view.setBigUint64(at, seconds, true)
  view.setUint32(60, mode, true)
  view.setUint32(64, 1, true)
  view.setUint32(80, BLOCK_BYTES, true)
  return bytes
}

function fields(length: number): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(length)
  return { bytes, view: new DataView(bytes.buffer) }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
