import type { SignInProblem } from '../../shared/contract/providers.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Groups } from '../groups/groups.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import type { Provisioning } from '../users/provision.ts'
import { usernameProblem } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import type { AccountLinks } from './account-links.ts'
import type { Identity } from './authorize.ts'
import { type Claims, groupsIn, isSet, matches, valuesOf } from './claims.ts'
import { sourceOf, type StoredProvider } from './provider.ts'
import type { ProviderStore } from './provider-store.ts'

export type Decision = { readonly account: Account } | { readonly problem: SignInProblem }

export interface EntryOptions {
  users: Users
  bus: Bus
  provisioning: Provisioning
  links: AccountLinks
  store: ProviderStore
  groups: Pick<Groups, 'followDirectory' | 'all'>
  log: (line: string) => void
}

export type Entry = ReturnType<typeof createEntry>

/** Others may be writing the same record. */
const ATTEMPTS = 5

/**
 * Which account somebody signs in to. Only a link leads to an existing account: an equal name or mail address never does, because at many providers
 * people choose them themselves.
 */
export function createEntry({ users, bus, provisioning, links, store, groups, log }: EntryOptions) {
  /** What `enter` would do; changes nothing. */
  async function preview(provider: StoredProvider, identity: Identity): Promise<{ problem: SignInProblem | null; detail: string }> {
    const refused = refusalOf(provider, identity.claims)
    if (refused !== null) return { problem: refused, detail: `${provider.allow.claim} has none of: ${provider.allow.values.join(', ')}` }
    const link = await links.find(identity)
    const account = link === null ? null : await users.find(link.user_id)
    const member = await groupNames(provider, identity)
    if (account !== null) {
      const detail = `the account ${account.username} is connected with this subject${member}`
      return account.disabled ? { problem: 'disabled', detail: `${detail}, and switched off` } : { problem: null, detail }
    }
    if (!provider.create) return { problem: 'no-account', detail: 'no account is connected with this subject, and none is created' }
    const username = nameIn(provider, identity.claims)
    if (username === null) return { problem: 'bad-name', detail: `the claim ${provider.usernameClaim} holds no name for an account` }
    const taken = await users.findByName(username)
    if (taken !== null)
      return { problem: 'name-taken', detail: `there is an account ${taken.username} already, which is not connected with this subject` }
    return {
      problem: null,
      detail: `a new account ${username} would be created${adminOf(provider, identity.claims) ? ', as an administrator' : ''}${member}`,
    }
  }

  async function groupNames(provider: StoredProvider, { claims }: Identity): Promise<string> {
    const ids = groupsIn(provider, claims)
    const names = (await groups.all()).filter(({ id }) => ids.has(id)).map(({ name }) => name)
    return names.length === 0 ? '' : `; groups: ${names.join(', ')}`
  }

  async function enter(provider: StoredProvider, identity: Identity, { address }: { address: string | null }): Promise<Decision> {
    const refused = refusalOf(provider, identity.claims)
    if (refused !== null) return { problem: refused }
    const link = await links.find(identity)
    const known = link === null ? null : await users.find(link.user_id)
    if (known?.disabled === true) return { problem: 'disabled' }
    if (known !== null) return { account: await follow(provider, identity, known, { wasMade: link?.made_admin === 1 }) }
    const made = await create(provider, identity, address)
    if ('account' in made) return { account: await follow(provider, identity, made.account, { wasMade: false }) }
    // The same person signed in for the first time twice at once.
    const meanwhile = made.problem === 'name-taken' ? await links.find(identity) : null
    const account = meanwhile === null ? null : await users.find(meanwhile.user_id)
    return account === null || account.disabled ? made : { account }
  }

  async function create(provider: StoredProvider, identity: Identity, address: string | null): Promise<Decision> {
    if (!provider.create) return { problem: 'no-account' }
    const username = nameIn(provider, identity.claims)
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
        await links.add(identity, { userId: account.id, provider: provider.id })
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

  /** Rights and memberships as the provider says them. What an administrator gave is not taken, and a provider without the setting changes nothing. */
  async function follow(provider: StoredProvider, identity: Identity, first: Account, { wasMade }: { wasMade: boolean }): Promise<Account> {
    let account = first
    const says = adminOf(provider, identity.claims)
    const wants = says && !account.perm.admin ? true : wasMade && !says && account.perm.admin ? false : null
    if (wants !== null) {
      const changed = await setAdmin(account, wants)
      account = changed ?? account
      if (changed !== null) await links.used(identity, { madeAdmin: says })
    } else await links.used(identity, { madeAdmin: says && wasMade })
    await groups.followDirectory(account, sourceOf(provider.id), groupsIn(provider, identity.claims))
    return trustFactor(account)
  }

  /** Every way in through a provider must be one that asks for a second factor. */
  async function trustFactor(account: Account): Promise<Account> {
    const all = await store.all()
    const ways = await links.ofUser(account.id)
    const elsewhere = ways.length > 0 && ways.every((way) => all.some(({ id, secondFactor }) => id === way.provider && secondFactor))
    if (elsewhere === account.factorElsewhere) return account
    await users.setFactorElsewhere(account.id, elsewhere)
    return (await users.find(account.id)) ?? account
  }

  async function setAdmin(first: Account, admin: boolean): Promise<Account | null> {
    let account: Account | null = first
    for (let attempt = 0; attempt < ATTEMPTS && account !== null; attempt += 1) {
      try {
        if (await users.change(account, { fields: { perm: { ...account.perm, admin } }, password: null, keep: null })) {
          const details = [{ place: 'perm.admin', before: String(!admin), after: String(admin) }]
          bus.announce('noted', { kind: 'user-changed', by: null, address: null, subject: account.username, details })
          return users.find(account.id)
        }
      } catch (error) {
        if (!isAppError(error, 'forbidden')) throw error
        log(`sign-in provider: ${account.username} stays an administrator, because no other would be left`)
        return null
      }
      account = await users.find(account.id)
    }
    return account
  }

  return {
    preview,
    enter,
    trustFactor,
    allows: (provider: StoredProvider, { claims }: Identity): boolean => refusalOf(provider, claims) === null,
  }
}

function refusalOf({ allow }: StoredProvider, claims: Claims): 'not-allowed' | null {
  return isSet(allow) && !matches(claims, allow) ? 'not-allowed' : null
}

function adminOf({ admin }: StoredProvider, claims: Claims): boolean {
  return isSet(admin) && matches(claims, admin)
}

function nameIn({ usernameClaim }: StoredProvider, claims: Claims): string | null {
  // Not proven to be theirs, so that somebody else's address could be taken as a name.
  if (usernameClaim === 'email' && claims['email_verified'] === false) return null
  const [name, another] = valuesOf(claims, usernameClaim)
  return name === undefined || another !== undefined || usernameProblem(name) !== null ? null : name
}
