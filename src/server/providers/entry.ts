import type { SignInProblem } from '../../shared/contract/providers.ts'
import type { Account } from '../users/account.ts'
import { usernameProblem } from '../users/username.ts'
import { type AccountEntryOptions, type Arrival, createAccountEntry, type Decision } from './account-entry.ts'
import type { Identity } from './authorize.ts'
import { type Claims, groupsIn, isSet, matches, valuesOf } from './claims.ts'
import { sourceOf, type StoredProvider } from './provider.ts'
import type { ProviderStore } from './provider-store.ts'
import { trustFactor } from './trust.ts'

export interface EntryOptions extends AccountEntryOptions {
  store: ProviderStore
}

export type Entry = ReturnType<typeof createEntry>

/** Which account somebody signs in to whom an OpenID Connect provider has identified, by its claims. */
export function createEntry({ store, ...options }: EntryOptions) {
  const { users, links } = options
  const accounts = createAccountEntry(options)

  const trust = (account: Account): Promise<Account> => trustFactor({ store, links, users }, account)

  return {
    trustFactor: trust,

    /** What `enter` would do; changes nothing. */
    preview: (provider: StoredProvider, identity: Identity): Promise<{ problem: SignInProblem | null; detail: string }> =>
      accounts.preview(arrivalOf(provider, identity), {
        person: 'subject',
        refusal: `${provider.allow.claim} has none of: ${provider.allow.values.join(', ')}`,
        noName: `the claim ${provider.usernameClaim} holds no name for an account`,
      }),

    async enter(provider: StoredProvider, identity: Identity, from: { address: string | null }): Promise<Decision> {
      const decision = await accounts.enter(arrivalOf(provider, identity), from)
      return 'account' in decision ? { ...decision, account: await trust(decision.account) } : decision
    },

    allows: (provider: StoredProvider, { claims }: Identity): boolean => isAllowed(provider, claims),
  }
}

function arrivalOf(provider: StoredProvider, { issuer, subject, claims }: Identity): Arrival {
  return {
    issuer,
    subject,
    provider: provider.id,
    source: sourceOf(provider.id),
    isAllowed: isAllowed(provider, claims),
    username: nameIn(provider, claims),
    create: provider.create,
    admin: isSet(provider.admin) && matches(claims, provider.admin),
    groups: groupsIn(provider, claims),
  }
}

function isAllowed({ allow }: StoredProvider, claims: Claims): boolean {
  return !isSet(allow) || matches(claims, allow)
}

function nameIn({ usernameClaim }: StoredProvider, claims: Claims): string | null {
  // Not proven to be theirs, so that somebody else's address could be taken as a name. Some providers say so as a text, and some say nothing at all.
  const { email_verified: isVerified = true } = claims
  if (usernameClaim === 'email' && isVerified !== true && isVerified !== 'true') return null
  const [name, another] = valuesOf(claims, usernameClaim)
  return name === undefined || another !== undefined || usernameProblem(name) !== null ? null : name
}
