import type { LastCheck } from '../../shared/contract/directories.ts'
import { fail } from '../../shared/errors.ts'
import type { AccountEntry } from '../providers/account-entry.ts'
import type { AccountLinks } from '../providers/account-links.ts'
import type { Users } from '../users/users.ts'
import { arrivalOf, nobodyOf } from './arrival.ts'
import { bindAsSearcher } from './authenticate.ts'
import { type Conversation, converse } from './conversation.ts'
import { canCheck, type CheckedDirectory, issuerOf, type StoredDirectory } from './directory.ts'
import type { DirectoryStore } from './directory-store.ts'
import { groupsOf } from './groups-of.ts'
import { checkBase, findById } from './person.ts'
import { DirectoryProblem, reasonOf } from './problem.ts'
import type { Switching } from './switching.ts'

export interface ChecksOptions {
  readonly store: DirectoryStore
  readonly links: AccountLinks
  readonly users: Pick<Users, 'find'>
  readonly entry: AccountEntry
  readonly switching: Switching
  readonly clock: () => Date
  readonly log: (line: string) => void
}

const MINUTE_MS = 60_000
/** So many people in one conversation, which has a time limit. */
const AT_ONCE = 100
const CONVERSATION_MS = 60_000

/** Compares accounts with their directory, so that who left it loses their access without signing in. */
export function createChecks({ store, links, users, entry, switching, clock, log }: ChecksOptions) {
  const running = new Set<string>()

  /** @returns whether they lost their access */
  async function checkOne(
    conversation: Conversation,
    directory: StoredDirectory,
    link: { issuer: string; subject: string; user_id: number },
  ) {
    const account = await users.find(link.user_id)
    if (account === null) return false
    const person = await findById(conversation, directory, link.subject, clock())
    const groups = person === null ? new Set<string>() : await groupsOf(conversation, directory, person)
    const arrival = person === null || person.disabled !== null ? nobodyOf(directory, link.subject) : arrivalOf(directory, person, groups)
    const known = await links.find(link)
    if (known === null) return false
    await entry.follow(arrival, account, { wasMade: known.made_admin === 1, isSignIn: false })
    if (!arrival.isAllowed) return switching.off(link)
    await switching.on(link)
    return false
  }

  async function checkAll(directory: StoredDirectory): Promise<{ people: number; ended: number }> {
    const all = (await links.ofProvider(directory.id)).filter(({ issuer }) => issuer === issuerOf(directory.id))
    let ended = 0
    for (let at = 0; at === 0 || at < all.length; at += AT_ONCE)
      await converse(
        directory,
        async (conversation) => {
          await bindAsSearcher(conversation, directory)
          // Nobody is gone because the directory shows nothing.
          await checkBase(conversation, directory)
          for (const link of all.slice(at, at + AT_ONCE)) if (await checkOne(conversation, directory, link)) ended += 1
        },
        { limitMs: CONVERSATION_MS },
      )
    return { people: all.length, ended }
  }

  /** What a problem stops stays as it is until the next time. */
  async function run(directory: CheckedDirectory): Promise<LastCheck> {
    if (running.has(directory.id)) fail('busy', {})
    running.add(directory.id)
    const at = clock().getTime()
    try {
      const result = { at, problem: '', ...(await checkAll(directory)) }
      await store.keepResult(directory.id, result)
      return result
    } catch (error) {
      if (!(error instanceof DirectoryProblem)) throw error
      const result = { at, problem: reasonOf(error), people: 0, ended: 0 }
      if (directory.lastCheck?.problem !== result.problem) log(`directory ${directory.id}: accounts were not compared: ${result.problem}`)
      await store.keepResult(directory.id, result)
      return result
    } finally {
      running.delete(directory.id)
    }
  }

  return {
    /** Now. Fails with `busy`, and with `invalid-input` if the directory can be read only by somebody who signs in. */
    async check(directory: CheckedDirectory): Promise<LastCheck> {
      if (!canCheck(directory)) fail('invalid-input', { issues: ['bindDn: an account that searches is needed'] })
      await store.claimCheck(directory.id, { before: clock().getTime() })
      return run(directory)
    },

    /** Those whose time has come; call it every minute. On several servers, one of them does it. */
    async checkDue(): Promise<void> {
      for (const directory of await store.enabled()) {
        if (directory.checkMinutes === 0 || !canCheck(directory) || running.has(directory.id)) continue
        const before = clock().getTime() - directory.checkMinutes * MINUTE_MS
        if (await store.claimCheck(directory.id, { before })) await run(directory)
      }
    },
  }
}

export type Checks = ReturnType<typeof createChecks>
