import type { Frame } from './frame.ts'
import type { Member } from './walk.ts'

/*
 * Zip as in PKWARE's APPNOTE 6.3: entries stored, names UTF-8 (flag 11), zip64 where a number needs it. The CRC-32 of a file follows it in a data
 * descriptor (flag 3), so that every byte before it is known from names, sizes and times. The sizes are in the local header as well, because they are
 * known and streaming readers need them (docs/decisions/007).
 */
const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const ZIP64_END = 0x06064b50
const ZIP64_LOCATOR = 0x07064b50
const END = 0x06054b50

const UTF8_NAMES = 0x0800
const CRC_AFTER = 0x0008
const MADE_BY_UNIX = (3 << 8) | 45
const MOST_32 = 0xffffffff
const MOST_16 = 0xffff

export const zip: Frame = {
  mediaType: 'application/zip',
  headLength: (member) => 30 + nameBytes(member) + 9 + (isBig(member.size) ? 20 : 0),
  head(member) {
    const big = isBig(member.size)
    const size = big ? MOST_32 : member.size
    const out = writer(zip.headLength(member))
    out.u32(LOCAL)
    common(out, member, { needed: big ? 45 : 20, crc: 0 })
    out.u32(size)
    out.u32(size)
    out.u16(nameBytes(member))
    out.u16(9 + (big ? 20 : 0))
    out.text(member.name)
    timeField(out, member)
    if (big) sizesField(out, [member.size, member.size])
    return out.bytes
  },
  tailLength: ({ size }) => (size === 0 ? 0 : isBig(size) ? 24 : 16),
  tail(member, crc) {
    const out = writer(zip.tailLength(member))
    if (member.size === 0) return out.bytes
    out.u32(DESCRIPTOR)
    out.u32(crc)
    const number = isBig(member.size) ? out.u64 : out.u32
    number(member.size)
    number(member.size)
    return out.bytes
  },
  directoryLength: (member, offset) => 46 + nameBytes(member) + 9 + wideField(member, offset).length * 8 + wideHead(member, offset),
  directory(member, { offset, crc }) {
    const wide = wideField(member, offset)
    const size = isBig(member.size) ? MOST_32 : member.size
    const out = writer(zip.directoryLength(member, offset))
    out.u32(CENTRAL)
    out.u16(MADE_BY_UNIX)
    common(out, member, { needed: wide.length > 0 ? 45 : 20, crc })
    out.u32(size)
    out.u32(size)
    out.u16(nameBytes(member))
    out.u16(9 + wide.length * 8 + wideHead(member, offset))
    // No comment, first disk, no internal attributes.
    for (let i = 0; i < 3; i++) out.u16(0)
    out.u32((((member.kind === 'folder' ? 0o040000 : 0o100000) | member.mode) * 0x10000 + (member.kind === 'folder' ? 0x10 : 0)) >>> 0)
    out.u32(isBig(offset) ? MOST_32 : offset)
    out.text(member.name)
    timeField(out, member)
    if (wide.length > 0) sizesField(out, wide)
    return out.bytes
  },
  endLength: (end) => (isWide(end) ? 56 + 20 : 0) + 22,
  end({ count, start, length }) {
    const wide = isWide({ count, start, length })
    const out = writer(zip.endLength({ count, start, length }))
    if (wide) {
      out.u32(ZIP64_END)
      out.u64(44)
      out.u16(MADE_BY_UNIX)
      out.u16(45)
      out.u32(0)
      out.u32(0)
      for (const number of [count, count, length, start]) out.u64(number)
      out.u32(ZIP64_LOCATOR)
      out.u32(0)
      out.u64(start + length)
      out.u32(1)
    }
    out.u32(END)
    out.u32(0)
    out.u16(Math.min(count, MOST_16))
    out.u16(Math.min(count, MOST_16))
    out.u32(Math.min(length, MOST_32))
    out.u32(Math.min(start, MOST_32))
    out.u16(0)
    return out.bytes
  },
}

type Writer = ReturnType<typeof writer>

/** The part that local header and central directory share, from "version needed" to the CRC-32. */
function common(out: Writer, member: Member, { needed, crc }: { needed: number; crc: number }): void {
  const { date, time } = dosTime(member.modified)
  out.u16(needed)
  out.u16(UTF8_NAMES | (member.size > 0 ? CRC_AFTER : 0))
  out.u16(0)
  out.u16(time)
  out.u16(date)
  out.u32(crc)
}

/** The extended timestamp (extra field 0x5455): seconds since 1970. */
function timeField(out: Writer, { modified }: Member): void {
  out.u16(0x5455)
  out.u16(5)
  out.u8(1)
  out.u32(Math.min(Math.max(Math.floor(modified / 1000), -0x80000000), 0x7fffffff) >>> 0)
}

/** The zip64 extra field with the numbers that do not fit. */
function sizesField(out: Writer, numbers: readonly number[]): void {
  out.u16(1)
  out.u16(numbers.length * 8)
  for (const number of numbers) out.u64(number)
}

function wideField({ size }: Member, offset: number): number[] {
  return [...(isBig(size) ? [size, size] : []), ...(isBig(offset) ? [offset] : [])]
}

function wideHead(member: Member, offset: number): number {
  return isBig(member.size) || isBig(offset) ? 4 : 0
}

function isWide({ count, start, length }: { count: number; start: number; length: number }): boolean {
  return count >= MOST_16 || isBig(start) || isBig(length)
}

function isBig(number: number): boolean {
  return number >= MOST_32
}

function nameBytes({ name }: Member): number {
  return Buffer.byteLength(name)
}

/** For readers that do not know the extended timestamp: UTC, a resolution of two seconds, 1980 to 2107. */
function dosTime(modified: number): { date: number; time: number } {
  const at = new Date(Math.min(Math.max(modified, 315_532_800_000), 4_354_819_198_000))
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** Writes little-endian numbers one after the other. */
function writer(length: number) {
  const bytes = Buffer.alloc(length)
  let at = 0
  return {
    bytes: bytes as Uint8Array,
    u8: (value: number) => void (at = bytes.writeUInt8(value, at)),
    u16: (value: number) => void (at = bytes.writeUInt16LE(value, at)),
    u32: (value: number) => void (at = bytes.writeUInt32LE(value >>> 0, at)),
    u64(value: number) {
      at = bytes.writeUInt32LE(value % 0x100000000, at)
      at = bytes.writeUInt32LE(Math.floor(value / 0x100000000), at)
    },
    text: (value: string) => void (at += bytes.write(value, at, 'utf8')),
  }
}
