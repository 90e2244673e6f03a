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

/** A TCP connection of another part of this process, by our own descriptor. */
export interface Connection {
  readonly fd: number
  /**
   * Sends bytes of an open file through the kernel, as far as there is room right now.
   * @returns how many; 0 or less if there is no room or it is impossible for whatever reason
   */
  sendFile(descriptor: number, start: number, length: number): number
  /** Shuts it down in both directions, for every holder; what was written before still arrives. */
  shutDown(): void
  /** Closes our descriptor; the connection stays open for other holders. */
  release(): void
}

let bound: ReturnType<typeof load> | undefined

/**
 * Duplicates the connection from `peer` to our `port`. Nothing may be awaited between learning of the connection and this call, so that it is still
 * the same. Null if the connection or the C library is not found.
 */
export function holdConnection(peer: SocketAddress, port: number): Connection | null {
  const symbols = (bound ??= load())
  if (symbols === null) return null
  const wanted = plainAddress(peer.address)
  for (const number of readdirSync('/proc/self/fd')) {
    const fd = Number(number)
    // Ports first: with a thousand clients their addresses would take 20 ms to spell.
    if (portOf(symbols.getpeername, fd) !== peer.port || addressIn(buffer) !== wanted) continue
    if (portOf(symbols.getsockname, fd) !== port) continue
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

const buffer = Buffer.alloc(ADDRESS_BYTES)
const length = new Uint32Array(1)

/** The port of an address that is left in `buffer`; null for what is not an internet socket. */
function portOf(ask: (fd: number, bytes: Uint8Array, length: Uint32Array) => number, fd: number): number | null {
  length[0] = ADDRESS_BYTES
  if (ask(fd, buffer, length) !== 0) return null
  const family = buffer.readUInt16LE(0)
  return family === AF_INET || family === AF_INET6 ? buffer.readUInt16BE(2) : null
}

function addressIn(bytes: Buffer): string {
  if (bytes.readUInt16LE(0) === AF_INET) return bytes.subarray(4, 8).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(8 + 2 * i).toString(16))
  return plainAddress(groups.join(':'))
}

/** One spelling for each address; IPv4-mapped addresses as IPv4. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const short = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join('.')
}
