import { createHmac, randomBytes } from 'node:crypto'
import { createLru } from '../../shared/lru.ts'

/** How long a right answer is cached; a new password has another hash and so another key. */
const PROVEN_MS = 5 * 60_000
const MOST_PROVEN = 10_000

/** Recently verified answers, so that they are not computed again. In memory only, and never the passwords themselves. */
export function createProofCache({ clock = () => performance.now() }: { clock?: () => number } = {}) {
  // Exists in this process only, so cached keys are useless elsewhere.
  const secret = randomBytes(32)
  const known = createLru<string, number>(MOST_PROVEN)

  return {
    /** The key of one answer: unique for subject, hash and password. */
    keyOf: ({ subject, hash, password }: { readonly subject: string; readonly hash: string; readonly password: string }): string =>
      createHmac('sha256', secret)
        .update(JSON.stringify([subject, hash, password]))
        .digest('base64'),
    has(key: string): boolean {
      const until = known.get(key)
      if (until !== undefined && until > clock()) return true
      known.delete(key)
      return false
    },
    remember: (key: string): void => known.set(key, clock() + PROVEN_MS),
  }
}
