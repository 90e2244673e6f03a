import type { passwordLinks as calls } from '../../shared/contract/password-links.ts'
import type { ResultOf } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { createLru } from '../../shared/lru.ts'
import type { Caller } from '../access/caller.ts'
import type { Bus } from '../bus/bus.ts'
import { hashOf } from '../db/secret.ts'
import type { Addresses } from '../mail/addresses.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Limiter } from '../sessions/limiter.ts'
import { havePasswords, mayPeopleReset, type SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import type { PasswordPolicy } from '../users/policy.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import type { LinkStore, PasswordLink } from './store.ts'

export interface PasswordLinksDeps {
  readonly store: LinkStore
  readonly users: Users
  readonly policy: PasswordPolicy
  readonly settings: SettingsReader
  readonly mailer: Mailer
  readonly addresses: Addresses
  /** Separate from sign-ins, so that asking for links slows nobody down. */
  readonly limiter: Limiter
  readonly requireProof: (caller: Caller) => Promise<void>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Nobody gets more mails than this because somebody else asks again and again. */
const ASK_AGAIN_MS = 5 * 60_000
/** Accounts of one address that are sent a link. */
const MOST_OF_ADDRESS = 5

const REMEMBERED = 10_000

export type PasswordLinks = ReturnType<typeof createPasswordLinks>

/** Links by which people choose a password, for the first time or again, and confirm an address for mail. */
export function createPasswordLinks(deps: PasswordLinksDeps) {
  const { store, users, policy, settings, mailer, addresses, limiter, requireProof, bus, clock, log } = deps

  /** When a link was last asked for, by user: the link itself is made later, when its mail is sent. */
  const asked = createLru<number, number>(REMEMBERED)

  /** Whether people sign in with passwords of ours. */
  async function arePasswordsKept(): Promise<boolean> {
    return havePasswords(await settings.read())
  }

  /** Fails with `not-found` for a link that counts no more: also after the password was changed in another way. */
  async function opened(secret: string): Promise<{ link: PasswordLink; account: Account }> {
    const link = (await store.find(secret)) ?? fail('not-found', {})
    const account = (await users.find(link.userId)) ?? fail('not-found', {})
    // A confirmation too: somebody who knew the password for a moment must not keep a way back.
    const counts = !account.disabled && link.authEpoch === account.authEpoch
    if (!counts || (link.kind !== 'address' && !(await arePasswordsKept()))) fail('not-found', {})
    return { link, account }
  }

  /** Sends links to those who may have them. */
  async function sendTo(name: string, locale: string): Promise<void> {
    if (!mayPeopleReset(await settings.read())) return
    const named = await users.findByName(name)
    const ids = named !== null ? [named.id] : name.includes('@') ? await addresses.usersWith(name, { limit: MOST_OF_ADDRESS }) : []
    for (const id of ids) {
      const account = await users.find(id)
      if (account === null || account.disabled || account.lockPassword) continue
      const now = clock().getTime()
      const last = Math.max(asked.get(id) ?? 0, (await store.latest(id, 'reset'))?.created.getTime() ?? 0)
      if (now - last < ASK_AGAIN_MS) continue
      asked.set(id, now)
      await mailer.queue('reset', id, { locale })
    }
  }

  return {
    /** For a user, by an administrator. Fails with `not-found`, `proof-needed`, and with `invalid-input` if people sign in elsewhere. */
    async create(id: number, { mail }: { mail: boolean }, caller: Caller): Promise<ResultOf<typeof calls.create>> {
      const account = (await users.find(id)) ?? fail('not-found', {})
      if (!(await arePasswordsKept())) fail('invalid-input', { issues: ['authMethod: people sign in elsewhere'] })
      await requireProof(caller)
      const kind = account.passwordHash === NO_PASSWORD ? 'invitation' : 'reset'
      const { secret, expires } = await store.create(account, kind)
      const isSent = mail && (await mailer.queue(kind, id, { by: caller.viewer.username }))
      bus.announce('noted', {
        kind: 'user-changed',
        by: { id: caller.viewer.userId, name: caller.viewer.username },
        address: caller.address,
        subject: account.username,
        details: [{ place: 'link', before: null, after: kind }],
      })
      return { secret, expires: expires.getTime(), mailedTo: isSent ? await addresses.find(id) : null }
    },

    /** Somebody has forgotten a password. The answer comes at once and is always the same; fails with `too-many-requests`. */
    async ask(username: string, { address, locale }: { address: string | null; locale: string }): Promise<void> {
      // Never taken back: this slows down asking in a loop.
      await limiter.begin({ address, account: usernameKey(username) })
      void sendTo(username.trim(), locale).catch((error: unknown) => log(`password link: ${String(error)}`))
    },

    /** Fails with `not-found`, and with `too-many-requests`. */
    async read(secret: string, address: string | null): Promise<ResultOf<typeof calls.read>> {
      const attempt = await limiter.begin({ address, account: hashOf(secret) })
      const { link, account } = await opened(secret)
      await attempt.succeeded()
      const { minimumPasswordLength } = await settings.read()
      return { kind: link.kind, username: account.username, address: link.address, minimumPasswordLength }
    },

    /** Fails with `not-found`, `invalid-input` for the password, and with `too-many-requests`. */
    async use(secret: string, { password, address }: { password: string | undefined; address: string | null }): Promise<void> {
      const attempt = await limiter.begin({ address, account: hashOf(secret) })
      const { link, account } = await opened(secret)
      await attempt.succeeded()
      const by = { id: account.id, name: account.username }
      if (link.kind === 'address') {
        if (!(await store.take(secret))) fail('not-found', {})
        const before = await addresses.find(account.id)
        await addresses.set(account.id, link.address)
        const details = [{ place: 'mail', before, after: link.address }]
        bus.announce('noted', { kind: 'user-changed', by, address, subject: account.username, details })
        return
      }
      if (password === undefined || password === '') fail('invalid-input', { issues: ['password: empty'] })
      await policy.check(password)
      if (!(await store.take(secret))) fail('not-found', {})
      await users.setPassword(account.id, password)
      await store.removeAll(account.id, ['invitation', 'reset'])
      const details = [{ place: link.kind === 'invitation' ? 'invitation' : 'password', before: null, after: null }]
      bus.announce('noted', { kind: 'user-changed', by, address, subject: account.username, details })
    },

    /** The address that a user has yet to confirm; null if there is none. */
    waitingAddress: async (userId: number): Promise<string | null> => (await store.latest(userId, 'address'))?.address ?? null,
    /** Slows down a user who has mail sent to many addresses; fails with `too-many-requests`. */
    countAddress: async (userId: number, address: string | null): Promise<void> =>
      void (await limiter.begin({ address, account: `address ${userId}` })),
    dropWaiting: (userId: number): Promise<void> => store.removeAll(userId, ['address']),
  }
}
