import { dlopen, FFIType, type Pointer, ptr as addressOf, read as readMemory } from 'bun:ffi'
import { orElse } from '../../shared/errors.ts'
import { constants } from 'node:fs'
import { constants as system } from 'node:os'
import { nameToBytes } from '../../shared/file-path.ts'
import type { NameBytes } from '../../shared/packed-names.ts'
import { OPEN_NODE, descriptorPath } from './proc-paths.ts'

const RENAME_NOREPLACE = 1
const RENAME_EXCHANGE = 2
const AT_SYMLINK_NOFOLLOW = 0x100
/** Addresses the descriptor itself, with an empty name. */
const AT_EMPTY_PATH = 0x1000
const AT_FDCWD = -100
/** Checks with the effective user, like open(2). */
const AT_EACCESS = 0x200
const R_OK = 4
const REGULAR = 0o100000
const TYPE_MASK = 0o170000
/** Type, mode, size and time of modification. */
const STATX_WANTED = 0x01 | 0x02 | 0x40 | 0x200
const STATX_CHANGED = 0x80
/** The number of links, the inode, and the time of any change (ctime). */
const STATX_CLOSELY = STATX_WANTED | 0x04 | STATX_CHANGED | 0x100
/** All fields of a `Stat`: type, mode, inode, size, time of modification, time of birth. */
const STATX_NODE = STATX_WANTED | 0x100 | 0x800
const STATX_BIRTH = 0x800
const STATX_MOUNT = 0x1000
const STATX_BYTES = 256
/** openat2(2), with the same number on all supported architectures; the C library has no function for it. */
const OPENAT2 = 437
const OPEN_HOW_BYTES = 24
const RESOLVE_NO_XDEV = 0x01
const RESOLVE_NO_MAGICLINKS = 0x02
const RESOLVE_NO_SYMLINKS = 0x04
const RESOLVE_BENEATH = 0x08
const O_CLOEXEC = 0o2000000
const READ_REGULAR = constants.O_RDONLY | constants.O_NONBLOCK | O_CLOEXEC
const NO_NAME = new Uint8Array(1)
const NAME_MAX_BYTES = 4096
/** preadv2(2) flag: fails instead of waiting for a disk. */
const RWF_NOWAIT = 0x08

const { i32, u32, i64, u64, ptr } = FFIType
/** Lengths stay below 2 GiB, so 32 bits suffice. */
const GETDENTS = { args: [i32, ptr, u32], returns: i32 } as const
const PREADV2 = { args: [i32, ptr, i32, i64, i32], returns: i32 } as const
const SYMBOLS = {
  renameat2: { args: [i32, ptr, i32, ptr, u32], returns: i32 },
  statx: { args: [i32, ptr, i32, u32, ptr], returns: i32 },
  faccessat: { args: [i32, ptr, i32, i32], returns: i32 },
  openat: { args: [i32, ptr, i32], returns: i32 },
  read: { args: [i32, ptr, u32], returns: i32 },
  close: { args: [i32], returns: i32 },
  syscall: { args: [i64, i32, ptr, ptr, i64], returns: i32 },
  __errno_location: { args: [], returns: ptr },
  inotify_init1: { args: [i32], returns: i32 },
  inotify_add_watch: { args: [i32, ptr, u32], returns: i32 },
  inotify_rm_watch: { args: [i32, i32], returns: i32 },
  ioctl: { args: [i32, u64, ptr], returns: i32 },
} as const

/** An entry with the fields that identify a node and reveal a change. */
export interface CloseLook {
  readonly size: number
  readonly modified: number
  readonly mode: number
  readonly inode: number
  readonly device: number
  /** The number of hard links. */
  readonly links: number
  /** Milliseconds since 1970 of the last change to content, permissions or links (ctime), which cannot be set back. */
  readonly changed: number
}

/** The result of statx(2) for a node. */
export interface NodeLook {
  readonly mode: number
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified: number
  /** The device number, in the form of stat(2). */
  readonly device: bigint
  readonly inode: bigint
  /** Nanoseconds since 1970; 0 if the file system does not store it. */
  readonly birth: bigint
  /** The mount id; null with a kernel before 5.8. */
  readonly mount: bigint | null
}

/** An open file with its current statx(2) result. */
export interface Looked {
  readonly fd: number
  readonly size: number
  look(): NodeLook
  /** The raw statx(2) result: unchanged as long as the node is. */
  readonly words: Uint32Array
}

/** The stat results of many entries, one row each. */
export interface StatColumns {
  readonly sizes: Float64Array
  readonly modified: Float64Array
  readonly modes: Uint32Array
}

/** Distinguishes a node from every other one, as `Stat.identity` does. */
export function identityOf({ device, inode, birth }: Pick<NodeLook, 'device' | 'inode' | 'birth'>): string {
  return `${device}:${inode}:${birth}`
}

/** Calls of the C library that Node's fs lacks or makes slowly. If this is null, callers use a slower way. */
export type Libc = ReturnType<typeof over>

let bound: Libc | null | undefined

export function libc(): Libc | null {
  if (bound === undefined) bound = bind()
  return bound
}

function bind(): Libc | null {
  const symbols = load()
  return symbols && over(symbols)
}

function over(symbols: NonNullable<ReturnType<typeof load>>) {
  const encoder = new TextEncoder()
  const name = new Uint8Array(NAME_MAX_BYTES)
  const withoutEnd = name.subarray(0, NAME_MAX_BYTES - 1)
  const answer = new Uint8Array(STATX_BYTES)
  const fields = new DataView(answer.buffer)
  const how = new Uint32Array(OPEN_HOW_BYTES / 4)
  const errno = symbols.__errno_location()

  const lastError = (): number | null => (errno === null ? null : readMemory.i32(errno, 0))

  /** Writes a text and NUL to `name`. @returns whether it fitted */
  function putName(text: string): boolean {
    const { read, written } = encoder.encodeInto(text, withoutEnd)
    name[written] = 0
    return read === text.length && (written === text.length || text.isWellFormed())
  }

  /** Encodes any text, also one with bytes that are not UTF-8. */
  function put(text: string): Uint8Array {
    return putName(text) ? name : terminated(text)
  }

  /** Reads a 64-bit number, possibly without its lowest bits. The runtime's own method makes a BigInt. */
  const unsigned = (at: number): number => fields.getUint32(at + 4, true) * 2 ** 32 + fields.getUint32(at, true)
  const signed = (at: number): number => fields.getInt32(at + 4, true) * 2 ** 32 + fields.getUint32(at, true)

  function lookedAt() {
    return {
      size: unsigned(40),
      modified: milliseconds(signed(112), fields.getUint32(120, true)),
      mode: fields.getUint16(28, true),
    }
  }

  const words = new Uint32Array(answer.buffer)

  function nodeLook(): NodeLook {
    const told = fields.getUint32(0, true)
    return {
      ...lookedAt(),
      device: deviceNumber(fields.getUint32(136, true), fields.getUint32(140, true)),
      inode: fields.getBigUint64(32, true),
      birth: (told & STATX_BIRTH) === 0 ? 0n : fields.getBigInt64(80, true) * 1_000_000_000n + BigInt(fields.getUint32(88, true)),
      mount: (told & STATX_MOUNT) === 0 ? null : fields.getBigUint64(144, true),
    }
  }

  function openNode(fd: number, path: string, { flags, stay }: { flags: number; stay: boolean }): number {
    how[0] = flags | O_CLOEXEC
    how[4] = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | (stay ? RESOLVE_NO_XDEV : 0)
    return symbols.syscall(OPENAT2, fd, put(path), how, OPEN_HOW_BYTES)
  }

  const piece = new BigUint64Array(2)
  /** The buffer that `piece` describes, usually the same as in the previous call. */
  let target: Uint8Array | null = null

  /** Reads the bytes that are in memory, at most as many as fit. @returns the number of bytes; negative on failure */
  function readInto(fd: number, into: Uint8Array, at: number): number {
    if (into !== target) {
      piece[0] = BigInt(addressOf(into))
      piece[1] = BigInt(into.length)
      target = into
    }
    return symbols.preadv2?.(fd, piece, 1, at, RWF_NOWAIT) ?? -1
  }

  function readRegular(node: number, bytes: Uint8Array, heldBy: (words: Uint32Array) => number | null): Looked | null {
    if (symbols.statx(node, NO_NAME, AT_EMPTY_PATH, STATX_NODE | STATX_CHANGED, answer) !== 0) return null
    const size = unsigned(40)
    if ((fields.getUint16(28, true) & TYPE_MASK) !== REGULAR || size > bytes.length) return null
    const held = heldBy(words)
    const fd = held ?? openAgain(node)
    if (fd < 0) return null
    if (readInto(fd, bytes, 0) === size) return { fd, size, look: nodeLook, words }
    if (held === null) symbols.close(fd)
    return null
  }

  function statOf(fd: number, text: string, wanted: number): boolean {
    const flags = AT_SYMLINK_NOFOLLOW | (text === '' ? AT_EMPTY_PATH : 0)
    return symbols.statx(fd, put(text), flags, wanted, answer) === 0
  }

  /** Encoded paths of descriptors; the numbers are few. */
  const selves: Uint8Array[] = []

  /** @returns negative on any failure */
  const openAgain = (node: number): number => symbols.openat(AT_FDCWD, (selves[node] ??= terminated(descriptorPath(node))), READ_REGULAR)

  function readOpen(node: number, bytes: Uint8Array, { at, most }: { at: number; most: number }) {
    if (symbols.statx(node, NO_NAME, AT_EMPTY_PATH, STATX_WANTED, answer) !== 0) return null
    const { size, modified, mode } = lookedAt()
    if ((mode & TYPE_MASK) !== REGULAR || size > most) return null
    const fd = openAgain(node)
    if (fd < 0) return null
    const got = size === 0 ? 0 : symbols.read(fd, bytes.subarray(at, at + size), size)
    symbols.close(fd)
    return got === size ? { size, modified } : null
  }

  return {
    /** Whether permissions allow opening an entry for reading. For a link: whether it exists. */
    mayRead: (fd: number, text: string): boolean =>
      putName(text) && symbols.faccessat(fd, name, R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) === 0,
    /**
     * Reads a whole regular file of an open folder into `bytes` from `at` on. Inspects it before opening it, by one descriptor (like `openRegular`).
     * @returns null if it is longer than `most`, or on any failure
     */
    readSmall(
      folder: number,
      text: string,
      bytes: Uint8Array,
      place: { at: number; most: number },
    ): { size: number; modified: number } | null {
      const node = putName(text) ? symbols.openat(folder, name, OPEN_NODE | O_CLOEXEC) : -1
      if (node < 0) return null
      try {
        return readOpen(node, bytes, place)
      } finally {
        symbols.close(node)
      }
    },
    /** Opens a regular file for reading that was opened with O_PATH. @returns the descriptor; negative on any failure */
    openAgain,
    /** Makes an inotify(7) queue, non-blocking and not inherited. @returns -1 on any failure */
    openWatches: (): number => symbols.inotify_init1(O_CLOEXEC | constants.O_NONBLOCK),
    /** @returns the number of the watch, the same for the same node; -1 on any failure */
    addWatch: (queue: number, address: string, mask: number): number => symbols.inotify_add_watch(queue, put(address), mask),
    removeWatch: (queue: number, watch: number): void => void symbols.inotify_rm_watch(queue, watch),
    /** ioctl(2) with a struct that the kernel reads and fills. @returns negative on any failure */
    ioctl: (fd: number, request: number, args: Uint8Array): number => symbols.ioctl(fd, request, args),
    /** Renames in one step to a name that must be free. @returns false if it was refused or is not supported; nothing was done */
    renameNoReplace: (from: { fd: number }, fromName: string, to: { fd: number }, toName: string): boolean =>
      symbols.renameat2(from.fd, terminated(fromName), to.fd, terminated(toName), RENAME_NOREPLACE) === 0,
    /** Swaps two names in one step. @returns false if it was refused or is not supported; nothing was done */
    renameExchange: (one: { fd: number }, oneName: string, other: { fd: number }, otherName: string): boolean =>
      symbols.renameat2(one.fd, terminated(oneName), other.fd, terminated(otherName), RENAME_EXCHANGE) === 0,
    /**
     * Writes stat results of entries into columns, without an object each; links are not followed.
     * @param onIdentity called for each row with the identity, as of a `Stat`
     * @returns a function for one name; false on failure
     */
    quickRows(
      fd: number,
      { bytes, starts }: NameBytes,
      columns: StatColumns,
      onIdentity?: (identity: string) => void,
    ): (index: number, row: number) => boolean {
      const wanted = onIdentity === undefined ? STATX_WANTED : STATX_NODE
      const begin = Number(addressOf(bytes.length === 0 ? NO_NAME : bytes))
      return (index, row) => {
        // A pointer into the names; the caller keeps them alive.
        const address = (begin + (starts[index] ?? 0)) as Pointer
        if (symbols.statx(fd, address, AT_SYMLINK_NOFOLLOW, wanted, answer) !== 0) return false
        if (onIdentity !== undefined) onIdentity(identityOf(nodeLook()))
        columns.sizes[row] = unsigned(40)
        columns.modified[row] = milliseconds(signed(112), fields.getUint32(120, true))
        columns.modes[row] = fields.getUint16(28, true)
        return true
      }
    },
    /**
     * Reads a regular file below an open folder into `bytes`, without following links and without waiting for the disk. Inspects it before opening it
     * (like `openRegular`). @param options.stay not behind a mount point
     * @param options.held returns a descriptor of the file with this statx(2) result, if the caller has one
     * @returns the result of statx(2), only valid until the next call, with a descriptor that the caller must close, or its own; null if the file is
     *   longer, not all in memory, or on any failure
     */
    readFile(
      fd: number,
      path: string,
      bytes: Uint8Array,
      { stay, held }: { stay: boolean; held: (words: Uint32Array) => number | null },
    ): Looked | null {
      const node = openNode(fd, path, { flags: OPEN_NODE, stay })
      if (node < 0) return null
      const found = readRegular(node, bytes, held)
      symbols.close(node)
      return found
    },
    /**
     * Fills `into` with bytes of an open file, from `at` on, without waiting for the disk.
     * @returns false if they are not all in memory, or the call is not supported
     */
    readNow: (fd: number, into: Uint8Array, at: number): boolean => readInto(fd, into, at) === into.length,
    /**
     * Reads entries of a folder that is open for reading, in the form of getdents64(2).
     * @returns the number of bytes; 0 after the last entry, or the negative error number
     */
    readEntries(fd: number, into: Uint8Array): number {
      const length = symbols.getdents?.(fd, into, into.length) ?? -system.errno.ENOSYS
      return length === -1 ? -(lastError() ?? 1) : length
    },
    /** Like `closeLook`. @returns null if nothing has the name, undefined on any other failure */
    look(fd: number, text: string): NodeLook | null | undefined {
      if (!statOf(fd, text, STATX_NODE | STATX_MOUNT)) return lastError() === system.errno.ENOENT ? null : undefined
      return nodeLook()
    },
    /**
     * Opens a node below an open folder in one call, without following links.
     * @param options.stay fails with EXDEV instead of entering another mount
     * @returns the descriptor, or the negative error number: ENOSYS or EPERM if the kernel (before 5.6) or a seccomp filter lacks the call
     */
    openBeneath(fd: number, path: string, options: { flags: number; stay: boolean }): number {
      const opened = openNode(fd, path, options)
      return opened >= 0 ? opened : -(lastError() ?? 1)
    },
    /** Inspects an entry without following links, or the open node itself if the name is empty. @returns null on any failure */
    closeLook(fd: number, text: string): CloseLook | null {
      if (!statOf(fd, text, STATX_CLOSELY)) return null
      return {
        ...lookedAt(),
        inode: unsigned(32),
        device: fields.getUint32(136, true) * 2 ** 32 + fields.getUint32(140, true),
        links: fields.getUint32(16, true),
        changed: milliseconds(signed(96), fields.getUint32(104, true)),
      }
    },
  }
}

/** Packs the two halves of a device number like stat(2) (`makedev`). */
function deviceNumber(major: number, minor: number): bigint {
  const low = ((major & 0xfff) << 8) | (minor & 0xff)
  if (major <= 0xfff && minor <= 0xff) return BigInt(low)
  return (BigInt(major & ~0xfff) << 32n) | BigInt(low) | (BigInt(minor & ~0xff) << 12n)
}

/** The only formula for times, so that a file has the same number in a listing and in its own `Stat`. */
export function milliseconds(seconds: number, nanoseconds: number): number {
  return seconds * 1000 + nanoseconds / 1e6
}

function load() {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  for (const library of ['libc.so.6', musl]) {
    try {
      return { ...dlopen(library, SYMBOLS).symbols, getdents: loadGetdents(library), preadv2: loadPreadv2(library) }
    } catch {
      // Tries the next one; without any, callers use the slower ways.
    }
  }
  return null
}

/** glibc calls it `getdents64`, musl `getdents`. Missing in older versions of glibc. */
function loadGetdents(library: string) {
  try {
    return dlopen(library, { getdents64: GETDENTS }).symbols.getdents64
  } catch {
    return library === 'libc.so.6' ? null : dlopen(library, { getdents: GETDENTS }).symbols.getdents
  }
}

/** Missing in older versions of either library. */
function loadPreadv2(library: string) {
  return orElse(null, () => dlopen(library, { preadv2: PREADV2 }).symbols.preadv2)
}

function terminated(name: string): Uint8Array {
  return Buffer.concat([nameToBytes(name), Uint8Array.of(0)])
}
