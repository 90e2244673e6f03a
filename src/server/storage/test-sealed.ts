const SEAL_BYTES = 8

/** Bytes whose completeness can be checked: their length and one value, then that value repeated. */
export function sealed(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEAL_BYTES + length)
  const value = length % 251
  new DataView(bytes.buffer).setUint32(0, length)
  new DataView(bytes.buffer).setUint32(4, value)
  return bytes.fill(value, SEAL_BYTES)
}

export function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length < SEAL_BYTES) return false
  const seal = new DataView(bytes.buffer, bytes.byteOffset)
  return seal.getUint32(0) === bytes.length - SEAL_BYTES && bytes.subarray(SEAL_BYTES).every((byte) => byte === seal.getUint32(4))
}
