import { createLru } from '../../shared/lru.ts'
import type { Entry } from '../drive/entry.ts'
import { etagOf } from '../drive/etag.ts'

/** Texts of some hundred bytes. */
const REMEMBERED = 20_000

/** Checksums of files that clients have sent, as long as they stay as they were sent. */
export type KnownSums = ReturnType<typeof createKnownSums>

/**
 * What was compared with a content while it arrived, by the ETag that the file has since. Kept in memory: it saves a client whose answer was lost from
 * sending or fetching the file again, and nothing depends on it.
 */
export function createKnownSums() {
  const sums = createLru<string, string>(REMEMBERED)
  return {
    /** @param sum such as `SHA256:` and the digest; null to learn nothing */
    learn(stat: Entry['stat'], sum: string | null): void {
      if (sum !== null) sums.set(etagOf(stat), sum)
    },
    find: (etag: string | null): string | null => (etag === null ? null : (sums.get(etag) ?? null)),
  }
}
