import { createHmac, randomBytes } from 'node:crypto'
import { createLru } from '../../shared/lru.ts'

/** Recently verified answers, so that they are not computed again. In memory only, and never the passwords themselves. */
export interface ProofCache {
  /** The key of one answer: unique for subject, hash and password. */
  keyOf(answer: { readonly subject: string; readonly hash: string; readonly password: string }): string
  has(key: string): boolean
  remember(key: string): void
}

/** How long a right answer is cached; a new password has another hash and so another key. */
const PROVEN_MS = 5 * 60_000
const MOST_PROVEN = 10_000

export function createProofCache({ clock = () => performance.now() }: { clock?: () => number } = {}): ProofCache {
  // Exists in this process only, so cached keys are useless elsewhere.
  const secret = randomBytes(32)
  const known = createLru<string, number>(MOST_PROVEN)

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
    remember: (key) => known.set(key, clock() + PROVEN_MS),
  }
}
