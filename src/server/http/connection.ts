import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, readdirSync } from 'node:fs'

const AF_INET = 2
const AF_INET6 = 10
const SHUT_BOTH = 2
const ADDRESS_BYTES = 128

const { i32, i64_fast, u64_fast, ptr } = FFIType
const SYMBOLS = {
  dup: { args: [i32], returns: i32 },
  getpeername: { args: [i32, ptr, ptr], returns: i32 },
  getsockname: { args: [i32, ptr, ptr], returns: i32 },
  shutdown: { args: [i32, i32], returns: i32 },
  sendfile: { args: [i32, i32, ptr, u64_fast], returns: i64_fast },
} as const

export interface SocketAddress {
  readonly address: string
  readonly port: number
}

/** A TCP connection that another part of this process holds, by a descriptor of our own. */
export interface Connection {
  readonly fd: number
  /**
   * Bytes of an open file, moved by the kernel as far as there is room for them right now.
   * @returns how many; 0 or less when there is no room, or it cannot be done, for whatever reason
   */
  sendFile(descriptor: number, start: number, length: number): number
  /** Ends it in both directions, for whoever holds it; what was written before still arrives. */
  shutDown(): void
  /** Gives our descriptor back; the connection goes on with whoever else holds it. */
  release(): void
}

let bound: ReturnType<typeof load> | undefined

/**
 * The connection from `peer` to our `port`, once more. Nothing may be awaited between hearing of the connection and this call, so that it is still
 * the same. Null where the connection or the C library is not found.
 */
export function holdConnection(peer: SocketAddress, port: number): Connection | null {
  const symbols = (bound ??= load())
  if (symbols === null) return null
  const wanted = plainAddress(peer.address)
  for (const number of readdirSync('/proc/self/fd')) {
    const fd = Number(number)
    const from = socketAddress((bytes, length) => symbols.getpeername(fd, bytes, length))
    if (from?.port !== peer.port || from.address !== wanted) continue
    if (socketAddress((bytes, length) => symbols.getsockname(fd, bytes, length))?.port !== port) continue
    const own = symbols.dup(fd)
    return own < 0 ? null : connectionOn(own, symbols)
  }
  return null
}

function connectionOn(fd: number, symbols: NonNullable<ReturnType<typeof load>>): Connection {
  return {
    fd,
    sendFile: (descriptor, start, length) => Number(symbols.sendfile(fd, descriptor, BigInt64Array.of(BigInt(start)), length)),
    shutDown: () => void symbols.shutdown(fd, SHUT_BOTH),
    release: () => closeSync(fd),
  }
}

function load() {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  for (const library of process.platform === 'linux' ? ['libc.so.6', musl] : []) {
    try {
      return dlopen(library, SYMBOLS).symbols
    } catch {
      // The next one.
    }
  }
  return null
}

/** Null for what is no internet address: not a socket, or a local one. */
function socketAddress(ask: (bytes: Uint8Array, length: Uint32Array) => number): SocketAddress | null {
  const bytes = Buffer.alloc(ADDRESS_BYTES)
  if (ask(bytes, Uint32Array.of(ADDRESS_BYTES)) !== 0) return null
  const family = bytes.readUInt16LE(0)
  const port = bytes.readUInt16BE(2)
  if (family === AF_INET) return { address: bytes.subarray(4, 8).join('.'), port }
  if (family !== AF_INET6) return null
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(8 + 2 * i).toString(16))
  return { address: plainAddress(groups.join(':')), port }
}

/** One spelling for each address; IPv4 within IPv6 as IPv4. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const short = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join('.')
}
