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

/** Bytes of what is at an address, by a request for its first one. Fails if there is nothing. */
export async function sizeAt(address: string, { signal }: { signal: AbortSignal }): Promise<number> {
  const response = await fetch(address, { headers: { range: 'bytes=0-0' }, credentials: 'same-origin', signal })
  await response.body?.cancel()
  const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1])
  if (response.status !== 206 || !Number.isSafeInteger(size)) throw new Error(`status ${response.status}`)
  return size
}
