import type { Checksum } from '../../shared/contract/resources.ts'

interface Hashable {
  readonly stat: { readonly size: number }
  stream(start: number, end: number): ReadableStream<Uint8Array>
}

/** Lower-case hex. Ends with the signal. */
export async function checksumOf(file: Hashable, algorithm: Checksum, { signal }: { signal?: AbortSignal } = {}): Promise<string> {
  const hasher = new Bun.CryptoHasher(algorithm)
  for await (const chunk of file.stream(0, file.stat.size)) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest('hex')
}
