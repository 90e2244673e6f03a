/** The type of a file by its first bytes, whatever its name. */
export type Container = 'zip' | '7z' | 'rar' | 'rar5' | 'tar'
export type Compression = 'gz' | 'bz2' | 'xz' | 'lz4' | 'sz' | 'zst'

/** Bytes needed to detect the type. */
export const HEAD_BYTES = 512

const SIGNS: readonly (readonly [Container | Compression, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['zip', 'PK\x07\x08'],
  ['7z', '7z\xbc\xaf\x27\x1c'],
  ['rar', 'Rar!\x1a\x07\x00'],
  ['rar5', 'Rar!\x1a\x07\x01\x00'],
  ['gz', '\x1f\x8b\x08'],
  ['bz2', 'BZh'],
  ['xz', '\xfd7zXZ\x00'],
  ['lz4', '\x04\x22\x4d\x18'],
  ['zst', '\x28\xb5\x2f\xfd'],
  ['sz', '\xff\x06\x00\x00sNaPpY'],
]

/** Null for files without a signature: brotli, and everything that is not an archive. */
export function detect(head: Uint8Array): Container | Compression | null {
  const text = Buffer.from(head.subarray(0, 16)).toString('latin1')
  const [kind] = SIGNS.find(([, sign]) => text.startsWith(sign)) ?? []
  return kind ?? (isTar(head) ? 'tar' : null)
}

const CHECKSUM = { start: 148, end: 156 }

/** A tar contains the checksum of its first header, in every dialect; an empty one begins with zeros. */
export function isTar(head: Uint8Array): boolean {
  if (head.length < HEAD_BYTES) return false
  if (head.every((byte) => byte === 0)) return true
  const said = Number.parseInt(Buffer.from(head.subarray(CHECKSUM.start, CHECKSUM.end)).toString('latin1').trim(), 8)
  let sum = 0
  for (let at = 0; at < HEAD_BYTES; at++) sum += at >= CHECKSUM.start && at < CHECKSUM.end ? 0x20 : (head[at] ?? 0)
  return said === sum
}
