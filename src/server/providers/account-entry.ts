import type { SignInProblem } from '../../shared/contract/providers.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Groups } from '../groups/groups.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import type { Provisioning } from '../users/provision.ts'
import type { Users } from '../users/users.ts'
import type { AccountLinks, Person } from './account-links.ts'
import { setAdmin } from './set-admin.ts'

export type Decision = { readonly account: Account; readonly isNew: boolean } | { readonly problem: SignInProblem }

/** Somebody whom a provider or a directory has identified, with what that says of them. */
export interface Arrival extends Person {
  /** The id of the provider or directory. */
  readonly provider: string
  /** Who keeps the memberships. */
  readonly source: string
  readonly isAllowed: boolean
  /** For a new account; null if what it says is no name. */
  readonly username: string | null
  /** Whether somebody without an account gets one. */
  readonly create: boolean
  readonly admin: boolean
  /** The ids of the groups whose member they are. */
  readonly groups: ReadonlySet<number>
}

export interface PreviewOptions {
  users: Pick<Users, 'find' | 'findByName'>
  links: AccountLinks
  groups: Pick<Groups, 'all'>
}

export interface AccountEntryOptions extends PreviewOptions {
  users: Users
  bus: Bus
  provisioning: Provisioning
  groups: Pick<Groups, 'followDirectory' | 'all'>
  log: (line: string) => void
}

/** How a preview names things, for administrators. */
export interface Wording {
  /** Who is connected: `subject`. */
  readonly person: string
  /** Why they may not sign in. */
  readonly refusal: string
  /** Why there is no name for a new account. */
  readonly noName: string
}

export type AccountEntry = ReturnType<typeof createAccountEntry>

/** What `enter` would do, without doing it. */
export function createArrivalPreview({ users, links, groups }: PreviewOptions) {
  async function groupNames(arrival: Arrival): Promise<string> {
    const names = (await groups.all()).filter(({ id }) => arrival.groups.has(id)).map(({ name }) => name)
    return names.length === 0 ? '' : `; groups: ${names.join(', ')}`
  }

  return async (arrival: Arrival, { person, refusal, noName }: Wording): Promise<{ problem: SignInProblem | null; detail: string }> => {
    if (!arrival.isAllowed) return { problem: 'not-allowed', detail: refusal }
    const link = await links.find(arrival)
    const account = link === null ? null : await users.find(link.user_id)
    const member = await groupNames(arrival)
    if (account !== null) {
      const detail = `the account ${account.username} is connected with this ${person}${member}`
      const isOff = account.disabled && link?.switched_off !== 1
      return isOff ? { problem: 'disabled', detail: `${detail}, and switched off` } : { problem: null, detail }
    }
    if (!arrival.create) return { problem: 'no-account', detail: `no account is connected with this ${person}, and none is created` }
    if (arrival.username === null) return { problem: 'bad-name', detail: noName }
    const taken = await users.findByName(arrival.username)
    if (taken !== null)
      return { problem: 'name-taken', detail: `there is an account ${taken.username} already, which is not connected with this ${person}` }
    const admin = arrival.admin ? ', as an administrator' : ''
    return { problem: null, detail: `a new account ${arrival.username} would be created${admin}${member}` }
  }
}

/**
 * Which account somebody signs in to. Only a link leads to an existing account: an equal name or mail address never does, because at many providers
 * people choose them themselves.
 */
export function createAccountEntry({ users, bus, provisioning, links, groups, log }: AccountEntryOptions) {
  async function enter(arrival: Arrival, { address }: { address: string | null }): Promise<Decision> {
    if (!arrival.isAllowed) return { problem: 'not-allowed' }
    const link = await links.find(arrival)
    const known = link === null ? null : await users.find(link.user_id)
    if (known?.disabled === true) return { problem: 'disabled' }
    if (known !== null) return { account: await follow(arrival, known, { wasMade: link?.made_admin === 1 }), isNew: false }
    const made = await create(arrival, address)
    if ('account' in made) return { account: await follow(arrival, made.account, { wasMade: false }), isNew: true }
    // The same person signed in for the first time twice at once.
    const meanwhile = made.problem === 'name-taken' ? await links.find(arrival) : null
    const account = meanwhile === null ? null : await users.find(meanwhile.user_id)
    return account === null || account.disabled ? made : { account, isNew: false }
  }

  async function create(
    { provider, username, create: mayCreate, ...person }: Arrival,
    address: string | null,
  ): Promise<{ account: Account } | { problem: SignInProblem }> {
    if (!mayCreate) return { problem: 'no-account' }
    if (username === null) return { problem: 'bad-name' }
    if ((await users.findByName(username)) !== null) return { problem: 'name-taken' }
    try {
      // A folder that somebody left behind is nobody's who only has the name.
      const account = await provisioning.provision({
        username,
        password: { hash: NO_PASSWORD },
        lockPassword: true,
        emptyHome: true,
        address,
      })
      try {
        await links.add(person, { userId: account.id, provider })
      } catch (error) {
        await users.remove(account.id)
        if (isAppError(error, 'already-exists')) return { problem: 'expired' }
        throw error
      }
      return { account }
    } catch (error) {
      if (isAppError(error, 'name-taken')) return { problem: 'name-taken' }
      if (isAppError(error, 'invalid-input')) return { problem: 'bad-name' }
      throw error
    }
  }

  /** Rights and memberships as the provider says them, at a sign-in or between two. What an administrator gave is not taken, and a provider without the setting changes nothing. */
  async function follow(
    arrival: Arrival,
    first: Account,
    { wasMade, isSignIn = true }: { wasMade: boolean; isSignIn?: boolean },
  ): Promise<Account> {
    let account = first
    const says = arrival.admin
    const wants = says && !account.perm.admin ? true : wasMade && !says && account.perm.admin ? false : null
    if (wants !== null) {
      const changed = await setAdmin({ users, bus, log }, account, wants)
      account = changed ?? account
      if (changed !== null) await links.used(arrival, { madeAdmin: says, isSignIn })
    } else await links.used(arrival, { madeAdmin: says && wasMade, isSignIn })
    await groups.followDirectory(account, arrival.source, arrival.groups)
    return account
  }

  return { preview: createArrivalPreview({ users, links, groups }), enter, follow }
}
