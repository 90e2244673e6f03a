/** Longer input is not tried. */
export const MOST_BYTES = 64 * 1024
const HEAD_BYTES = 8
export const SHARED_BYTES = HEAD_BYTES + MOST_BYTES

/** What is being tried, in memory that a process keeps for another one to see also when it hangs or has fallen. */
export interface SharedInput {
  begin(input: Uint8Array): void
  /** Inputs begun, modulo 2^32. */
  count(): number
  current(): Uint8Array
}

/** @param file of `SHARED_BYTES` */
export function openShared(file: string): SharedInput {
  const bytes = Bun.mmap(file, { shared: true })
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES)
  return {
    begin(input) {
      head.setUint32(0, (head.getUint32(0) + 1) >>> 0)
      head.setUint32(4, input.length)
      bytes.set(input, HEAD_BYTES)
    },
    count: () => head.getUint32(0),
    current: () => bytes.slice(HEAD_BYTES, HEAD_BYTES + head.getUint32(4)),
  }
}
