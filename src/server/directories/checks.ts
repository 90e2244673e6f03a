import type { LastCheck } from '../../shared/contract/directories.ts'
import { fail, isAppError } from '../../shared/errors.ts'
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
    const arrival =
      person === null || person.disabled !== null
        ? nobodyOf(directory, link.subject)
        : arrivalOf(directory, person, await groupsOf(conversation, directory, person))
    const known = await links.find(link)
    if (known === null) return false
    // First of all: what goes wrong with the rest must not keep their access.
    const isEnded = !arrival.isAllowed && (await switching.off(link))
    await entry.follow(arrival, account, { wasMade: known.made_admin === 1, isSignIn: false })
    if (arrival.isAllowed) await switching.on(link)
    return isEnded
  }

  /** What keeps one person from being compared concerns nobody else. */
  async function checkAll(directory: StoredDirectory): Promise<Pick<LastCheck, 'people' | 'ended' | 'problem'>> {
    const all = (await links.ofProvider(directory.id)).filter(({ issuer }) => issuer === issuerOf(directory.id))
    let ended = 0
    let problem = ''
    for (let at = 0; at === 0 || at < all.length; at += AT_ONCE)
      await converse(
        directory,
        async (conversation) => {
          await bindAsSearcher(conversation, directory)
          // Nobody is gone because the directory shows nothing.
          await checkBase(conversation, directory)
          for (const link of all.slice(at, at + AT_ONCE))
            try {
              if (await checkOne(conversation, directory, link)) ended += 1
            } catch (error) {
              if (!isOfOne(error)) throw error
              problem ||= `${link.subject}: ${reasonOf(error)}`
            }
        },
        { limitMs: CONVERSATION_MS },
      )
    return { people: all.length, ended, problem }
  }

  /** What a problem stops stays as it is until the next time. */
  async function run(directory: CheckedDirectory): Promise<LastCheck> {
    if (running.has(directory.id)) fail('busy', {})
    running.add(directory.id)
    async function keep(result: LastCheck): Promise<LastCheck> {
      const isNew = result.problem !== '' && directory.lastCheck?.problem !== result.problem
      if (isNew) log(`directory ${directory.id}: not all accounts were compared: ${result.problem}`)
      await store.keepResult(directory.id, result)
      return result
    }
    const at = clock().getTime()
    try {
      return await keep({ at, ...(await checkAll(directory)) })
    } catch (error) {
      if (!(error instanceof DirectoryProblem)) throw error
      return await keep({ at, problem: reasonOf(error), people: 0, ended: 0 })
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

/** Of the entry or the account of one person, not of the directory. */
function isOfOne(error: unknown): boolean {
  return (error instanceof DirectoryProblem && error.kind === 'wrong') || isAppError(error, 'busy')
}

export type Checks = ReturnType<typeof createChecks>
