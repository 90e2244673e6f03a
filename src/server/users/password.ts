import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fail } from '../../shared/errors.ts'
import { createSignInQueue, type QueueEntry } from './sign-in-queue.ts'
import { createProofCache } from './proof-cache.ts'

export const MAX_PASSWORD_LENGTH = 1024
const TOO_LONG = `too-long ${MAX_PASSWORD_LENGTH}`
/** One hash holds `memoryKiB`: more slots than this would cost a small machine its memory. */
const MAX_SLOTS = 8

/** In the place of a hash: no password belongs to it. For people who sign in elsewhere. */
export const NO_PASSWORD = '!'

/** What one argon2id hash costs. */
export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

const COST: HashCost = { memoryKiB: 65_536, passes: 2 }

export type Verdict = 'right' | 'outdated' | 'wrong'

export interface Passwords {
  /** Fails with `invalid-input` when the password is empty or longer than `MAX_PASSWORD_LENGTH`. */
  hash(password: string, turn?: QueueEntry): Promise<string>
  /**
   * Whether the password belongs to the hash; `outdated` says that it does and that the hash wants to be made anew.
   * Without a hash (nobody has that name) the same work is done for nothing, so that time tells no names (GHSA-43mm-m3h2-3prc).
   * The same answer asked for at the same moment is computed once, and a right one is remembered for five minutes.
   * @param options.lets whether a right answer lets anybody in: where not, it is not remembered, so that time does not tell it
   */
  verify(password: string, hash: string | null, options?: { readonly turn?: QueueEntry; readonly lets?: boolean }): Promise<Verdict>
  /** How much there is to do. */
  load(): { readonly running: number; readonly waiting: number }
}

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

/** Of calls that say nothing about who asks. */
const NOBODY: QueueEntry = { lane: 'people', subject: '', address: null }

/** Hashing on cores − 1 at once, in turns that are fair between accounts, links and networks. */
export function createPasswords({ cost = COST, hasher = BUN, slots = defaultSlots() }: PasswordOptions = {}): Passwords {
  const queue = createSignInQueue({ slots })
  const proven = createProofCache()
  const underway = new Map<string, Promise<boolean>>()
  const current = `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=1$`
  // Nobody's: the right shape and cost over random bytes, so nothing matches it.
  const nobody = `${current}${unpadded(randomBytes(32))}$${unpadded(randomBytes(32))}`

  /** The same question asked while it is being computed waits for the same answer. */
  function compute(key: string, work: () => Promise<boolean>): Promise<boolean> {
    const known = underway.get(key)
    if (known !== undefined) return known
    const computed = work().finally(() => underway.delete(key))
    underway.set(key, computed)
    return computed
  }

  return {
    load: queue.load,

    async hash(password, turn = NOBODY) {
      const problem = passwordProblem(password)
      if (problem !== null) fail('invalid-input', { issues: [`password: ${problem}`] })
      return queue.run(turn, () => hasher.hash(password, cost))
    },

    async verify(password, hash, { turn = NOBODY, lets = true } = {}) {
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

/** What can never be a password, whatever the settings ask for; null when it can. */
export function passwordProblem(password: string): string | null {
  if (password === '') return 'empty'
  return password.length > MAX_PASSWORD_LENGTH ? TOO_LONG : null
}

/** The predecessor's bcrypt looked at the first 72 bytes only; people with longer passwords sign in as before. */
function asHashed(password: string, hash: string): string | Uint8Array {
  return isBcrypt(hash) ? Buffer.from(password).subarray(0, 72) : password
}

/** Whether a text is a hash that `verify` can use. */
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
