import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import { isMailAddress } from '../mail/settings.ts'
import type { Addresses } from '../mail/addresses.ts'
import type { AccountEntry } from '../providers/account-entry.ts'
import type { AccountLinks } from '../providers/account-links.ts'
import type { DirectoryEntry, DirectorySignIn } from '../sessions/directory-sign-in.ts'
import type { Attempt, Limiter } from '../sessions/limiter.ts'
import type { Account } from '../users/account.ts'
import { createSignInQueue } from '../users/sign-in-queue.ts'
import { usernameKey } from '../users/username.ts'
import { arrivalOf } from './arrival.ts'
import { authenticate, hasPassword, reach } from './authenticate.ts'
import { issuerOf, type StoredDirectory } from './directory.ts'
import type { DirectoryStore } from './directory-store.ts'
import type { DirectoryPerson } from './person.ts'
import { DirectoryProblem, reasonOf } from './problem.ts'
import type { Switching } from './switching.ts'

export interface DirectorySignInOptions {
  readonly store: DirectoryStore
  readonly links: AccountLinks
  readonly entry: AccountEntry
  readonly switching: Switching
  readonly addresses: Addresses
  /** Of guesses of one person's password, under whatever name. */
  readonly limiter: Limiter
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Conversations at a time: a directory that does not answer takes no more than these. */
const SLOTS = 4
/** After it was away, a directory is not asked for this long, so that nobody waits for it in turn. */
const AWAY_MS = 10_000
/** A directory that answered is taken to be there for this long, where nothing else is asked of it. */
const THERE_MS = 10_000

interface Known {
  /** The configuration that this is about. */
  readonly of: string
  readonly isAway: boolean
  readonly until: number
}

/** Signing in with a name and password of a directory. */
export function createDirectorySignIn(options: DirectorySignInOptions) {
  const { store, links, entry, switching, addresses, limiter, bus, clock, log } = options
  const queue = createSignInQueue({ slots: SLOTS })
  const states = new Map<string, Known>()
  const now = (): number => clock().getTime()

  function stateOf(directory: StoredDirectory): 'away' | 'there' | 'unknown' {
    const known = states.get(directory.id)
    if (known === undefined || known.of !== JSON.stringify(directory) || known.until <= now()) return 'unknown'
    return known.isAway ? 'away' : 'there'
  }

  function learn(directory: StoredDirectory, { isAway }: { isAway: boolean }): void {
    states.set(directory.id, { of: JSON.stringify(directory), isAway, until: now() + (isAway ? AWAY_MS : THERE_MS) })
  }

  /**
   * Asks one directory in its turn. A problem that is not about the name and password is logged, and is `directory-away` for the person: they can do
   * nothing about either.
   * @returns null if it refuses
   */
  async function ask<T>(
    directory: StoredDirectory,
    { login, address }: { login: string; address: string | null },
    work: () => Promise<T>,
  ): Promise<T | null> {
    const turn = { priority: 'people', subject: `account ${usernameKey(login)}`, address } as const
    return queue.run(turn, async () => {
      if (stateOf(directory) === 'away') return fail('directory-away', {})
      try {
        const result = await work()
        learn(directory, { isAway: false })
        return result
      } catch (error) {
        if (!(error instanceof DirectoryProblem)) throw error
        learn(directory, { isAway: error.kind === 'away' })
        if (error.kind === 'refused') return null
        log(`directory ${directory.id}: ${reasonOf(error)}`)
        return fail('directory-away', {}, { cause: error })
      }
    })
  }

  /** Their password was right. */
  async function letIn(
    directory: StoredDirectory,
    { person, groups }: { person: DirectoryPerson; groups: ReadonlySet<string> },
    { username, address }: { username: string; address: string | null },
  ): Promise<DirectoryEntry> {
    const arrival = arrivalOf(directory, person, groups)
    if (arrival.isAllowed) await switching.on(arrival)
    const decision = await entry.enter(arrival, { address })
    if ('problem' in decision) {
      bus.announce('noted', {
        kind: 'sign-in-failed',
        by: null,
        address,
        details: [{ place: 'directory', before: null, after: decision.problem }],
      })
      return fail('directory-refused', { problem: decision.problem })
    }
    await links.mark(arrival, { login: username })
    if (decision.isNew && person.mail !== null && isMailAddress(person.mail)) await addresses.set(decision.account.id, person.mail)
    const carried = { provider: directory.id, issuer: arrival.issuer, subject: arrival.subject, sid: '', idToken: '' }
    return { account: decision.account, method: `ldap ${directory.id}`, carried: JSON.stringify(carried) }
  }

  /** Who gives these, in one directory; null if it refuses them. Counts wrong guesses for the person, whatever name they go by. */
  async function identify(directory: StoredDirectory, given: { username: string; password: string; address: string | null }) {
    const { username, password, address } = given
    const attempts: Attempt[] = []
    const onFound = async ({ id }: DirectoryPerson): Promise<void> =>
      void attempts.push(await limiter.begin({ address, account: `${directory.id} ${id}` }))
    const found = await ask(directory, { login: username, address }, () =>
      authenticate(directory, { login: username, password }, { now: clock(), onFound }),
    )
    if (found !== null) for (const attempt of attempts) await attempt.succeeded()
    return found
  }

  const service: DirectorySignIn = {
    isOn: async () => (await store.enabled()).length > 0,

    async enter(given) {
      let away: unknown = null
      for (const directory of await store.enabled()) {
        try {
          const found = await identify(directory, given)
          if (found !== null) return await letIn(directory, found, given)
        } catch (error) {
          if (!isAppError(error, 'directory-away')) throw error
          away ??= error
        }
      }
      if (away !== null) throw away
      return null
    },

    async reach() {
      for (const directory of await store.enabled())
        if (stateOf(directory) !== 'there') await ask(directory, { login: '', address: null }, () => reach(directory))
    },

    keepsPasswordOf: async (userId) => (await placesOf(userId)).length > 0,

    async proves(account: Account, { password, address }) {
      for (const { directory, subject, login } of await placesOf(account.id)) {
        const attempt = await limiter.begin({ address, account: `${directory.id} ${subject}` })
        const given = { id: subject, login, password }
        const isRight = await ask(directory, { login: account.username, address }, () => hasPassword(directory, given, { now: clock() }))
        if (isRight !== true) continue
        await attempt.succeeded()
        return true
      }
      return false
    },
  }

  /** Where an account has a password. */
  async function placesOf(userId: number): Promise<{ directory: StoredDirectory; subject: string; login: string }[]> {
    const directories = await store.enabled()
    if (directories.length === 0) return []
    const mine = await links.ofUser(userId)
    return directories.flatMap((directory) =>
      mine.filter(({ issuer }) => issuer === issuerOf(directory.id)).map(({ subject, login }) => ({ directory, subject, login })),
    )
  }

  return { ...service, identify }
}

export type DirectorySignInService = ReturnType<typeof createDirectorySignIn>
