import type { Checksum } from '../../shared/contract/resources.ts'
import type { OpenFile } from '../storage/storage.ts'
import { periodicYield } from './checkpoint.ts'

/** Bytes hashed without a look at the clock: under 2 ms. */
const STEP_BYTES = 512 * 1024

/** The checksum of a whole open file, in lower-case hexadecimal. Yields to other requests, and fails if `signal` is aborted. */
export async function checksum(file: OpenFile, algorithm: Checksum, { signal }: { signal?: AbortSignal } = {}): Promise<string> {
  const hasher = new Bun.CryptoHasher(algorithm)
  const pause = periodicYield(signal)
  await pause()
  for await (const chunk of file.stream(0, file.stat.size)) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      hasher.update(chunk.subarray(at, at + STEP_BYTES))
      await pause()
    }
  }
  return hasher.digest('hex')
}
