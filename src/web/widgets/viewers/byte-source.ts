/** Random access to a file's bytes. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /** Bytes from `start` to before `end`; fails if the file is shorter or unavailable. */
  read(start: number, end: number, options: { signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>
}

/** Uses range requests (RFC 9110, 14), authenticated by the cookie. */
export function bytesAt(address: string, size: number): ByteSource {
  return {
    size,
    async read(start, end, { signal }) {
      if (start < 0 || end > size || start > end) throw new RangeError('beyond the file')
      if (start === end) return new Uint8Array()
      const response = await fetch(address, { headers: { range: `bytes=${start}-${end - 1}` }, credentials: 'same-origin', signal })
      // 202: no download permission. A request for the whole file may return 200.
      if (response.status !== 206 && !(response.status === 200 && end - start === size)) throw new Error(`status ${response.status}`)
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (bytes.length !== end - start) throw new RangeError('another length')
      return bytes
    },
  }
}

/** What is at an address, read at once and kept in memory. Fails if there is nothing. */
export async function bytesFrom(address: string, { signal }: { signal: AbortSignal }): Promise<ByteSource> {
  const response = await fetch(address, { credentials: 'same-origin', signal })
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  const whole = new Uint8Array(await response.arrayBuffer())
  return {
    size: whole.length,
    async read(start, end) {
      if (start < 0 || end > whole.length || start > end) throw new RangeError('beyond the file')
      return whole.slice(start, end)
    },
  }
}
