/** A file's bytes, from a place to a place. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /** Exactly from `start` to before `end`; fails where the file is shorter or cannot be had. */
  read(start: number, end: number, options: { signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>
}

/** By byte ranges (RFC 9110, 14) from an address that the browser's cookie opens. */
export function bytesAt(address: string, size: number): ByteSource {
  return {
    size,
    async read(start, end, { signal }) {
      if (start < 0 || end > size || start > end) throw new RangeError('beyond the file')
      if (start === end) return new Uint8Array()
      const response = await fetch(address, { headers: { range: `bytes=${start}-${end - 1}` }, credentials: 'same-origin', signal })
      // 202: no right to download. A whole file that was asked for whole may come as 200.
      if (response.status !== 206 && !(response.status === 200 && end - start === size)) throw new Error(`status ${response.status}`)
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (bytes.length !== end - start) throw new RangeError('another length')
      return bytes
    },
  }
}
