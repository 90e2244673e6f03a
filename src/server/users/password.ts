import { randomBytes, createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fail } from '../../shared/errors.ts'
import { createSingleFlight } from '../../shared/single-flight.ts'
import { createSignInQueue, type QueueEntry } from './sign-in-queue.ts'
import { createLru } from '../../shared/lru.ts'

export const MAX_PASSWORD_LENGTH = 1024
const TOO_LONG = `too-long ${MAX_PASSWORD_LENGTH}`
/** One hash needs `memoryKiB`: more concurrent ones would exhaust a small machine's memory. */
const MAX_SLOTS = 8

/** Stored instead of a hash if no password is valid: for users who sign in elsewhere. */
export const NO_PASSWORD = '!'

export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

const COST: HashCost = { memoryKiB: 65_536, passes: 2 }

export type Verdict = 'right' | 'outdated' | 'wrong'

export type Passwords = ReturnType<typeof createPasswords>

/** The two primitives; a test counts their calls. */
export interface Hasher {
  hash(password: string, cost: HashCost): Promise<string>
  verify(password: string | Uint8Array, hash: string): Promise<boolean>
}

const BUN: Hasher = {
  hash: (password, { memoryKiB, passes }) =>
    Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: memoryKiB, timeCost: passes }),
  verify: (password, hash) => Bun.password.verify(password, hash),
}

/** For calls without information about the client. */
const NOBODY: QueueEntry = { priority: 'people', subject: '', address: null }

/** Computes up to (cores − 1) hashes at once, in turns that are fair between accounts, links and networks. */
export function createPasswords({ cost = COST, hasher = BUN, slots = defaultSlots() }: PasswordOptions = {}) {
  const queue = createSignInQueue({ slots })
  const proven = createProofCache()
  const compute = createSingleFlight<boolean>()
  const current = `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=1$`
  // Has the right form and cost over random bytes, so nothing matches it.
  const nobody = `${current}${unpadded(randomBytes(32))}$${unpadded(randomBytes(32))}`

  return {
    /** Work in progress and waiting. */
    load: queue.load,

    /** Fails with `invalid-input` if the password is empty or longer than `MAX_PASSWORD_LENGTH`. */
    async hash(password: string, turn: QueueEntry = NOBODY): Promise<string> {
      const problem = passwordProblem(password)
      if (problem !== null) fail('invalid-input', { issues: [`password: ${problem}`] })
      return queue.run(turn, () => hasher.hash(password, cost))
    },

    /**
     * Whether the password matches the hash; `outdated` means that it does and should be rehashed. Without a hash (unknown name) the same work is done,
     * so that the time does not reveal names (GHSA-43mm-m3h2-3prc). Concurrent checks of the same answer are computed once, and a right one is cached
     * for five minutes.
     * @param options.lets whether a right answer signs anybody in: if not, it is not cached, so that the time does not reveal it
     */
    async verify(
      password: string,
      hash: string | null,
      { turn = NOBODY, lets = true }: { readonly turn?: QueueEntry; readonly lets?: boolean } = {},
    ): Promise<Verdict> {
      if (password.length > MAX_PASSWORD_LENGTH) fail('invalid-input', { issues: [`password: ${TOO_LONG}`] })
      const against = hash !== null && isHash(hash) ? hash : nobody
      const key = proven.keyOf({ subject: turn.subject, hash: against, password })
      const isProven = lets && proven.has(key)
      const matches = isProven || (await compute(key, () => queue.run(turn, () => hasher.verify(asHashed(password, against), against))))
      if (!matches || against === nobody) return 'wrong'
      if (lets && !isProven) proven.remember(key)
      return against.startsWith(current) ? 'right' : 'outdated'
    },
  }
}

export interface PasswordOptions {
  cost?: HashCost
  hasher?: Hasher
  slots?: number
}

/** Why a text can never be a password, whatever the settings; null if it can. */
export function passwordProblem(password: string): string | null {
  if (password === '') return 'empty'
  return password.length > MAX_PASSWORD_LENGTH ? TOO_LONG : null
}

/** The predecessor's bcrypt used only the first 72 bytes; people with longer passwords can still sign in. */
function asHashed(password: string, hash: string): string | Uint8Array {
  return isBcrypt(hash) ? Buffer.from(password).subarray(0, 72) : password
}

/** Whether a text is a hash that `verify` supports. */
export function isHash(text: string): boolean {
  return isBcrypt(text) || text.startsWith('$argon2id$')
}

function isBcrypt(hash: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function defaultSlots(): number {
  return Math.min(MAX_SLOTS, Math.max(1, availableParallelism() - 1))
}

/** How long a right answer is cached; a new password has another hash and so another key. */
const PROVEN_MS = 5 * 60_000
const MOST_PROVEN = 10_000

/** Recently verified answers, so that they are not computed again. In memory only, and never the passwords themselves. */
function createProofCache({ clock = () => performance.now() }: { clock?: () => number } = {}) {
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
