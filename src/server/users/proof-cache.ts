import { createHmac, randomBytes } from 'node:crypto'

/** Right answers that were proven a short while ago, so that they are not computed again. In memory only, and never the passwords themselves. */
export interface ProofCache {
  /** Of one answer: the same for the same subject, hash and password, and for nothing else. */
  keyOf(answer: { readonly subject: string; readonly hash: string; readonly password: string }): string
  has(key: string): boolean
  remember(key: string): void
}

/** So long after a guess was right it is taken at its word; a new password has another hash and is another key. */
const PROVEN_MS = 5 * 60_000
const MOST_PROVEN = 10_000

export function createProofCache({ clock = () => performance.now() }: { clock?: () => number } = {}): ProofCache {
  // Of this process alone: what is remembered is useless in any other process.
  const secret = randomBytes(32)
  const known = new Map<string, number>()

  return {
    keyOf: ({ subject, hash, password }) =>
      createHmac('sha256', secret)
        .update(JSON.stringify([subject, hash, password]))
        .digest('base64'),
    has(key) {
      const until = known.get(key)
      if (until !== undefined && until > clock()) return true
      known.delete(key)
      return false
    },
    remember(key) {
      known.delete(key)
      known.set(key, clock() + PROVEN_MS)
      for (const oldest of known.keys()) {
        if (known.size <= MOST_PROVEN) break
        known.delete(oldest)
      }
    },
  }
}
