import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import type { AccountLinks } from './account-links.ts'
import type { ProviderStore } from './provider-store.ts'

type TrustingUsers = Pick<Users, 'find' | 'setFactorElsewhere'>

/** Accounts that sign in through this provider may need a second factor of ours again, at once and not only from the next sign-in on. */
export async function trustNoMore(
  { links, users }: { readonly links: AccountLinks; readonly users: TrustingUsers },
  provider: string,
): Promise<void> {
  for (const { user_id: userId } of await links.ofProvider(provider))
    if ((await users.find(userId))?.factorElsewhere === true) await users.setFactorElsewhere(userId, false)
}

/**
 * Whether an account needs no second factor of ours: every way in must be through a provider that asks for one.
 * @returns the account as it is then
 */
export async function trustFactor(
  { store, links, users }: { readonly store: Pick<ProviderStore, 'all'>; readonly links: AccountLinks; readonly users: TrustingUsers },
  account: Account,
): Promise<Account> {
  const all = await store.all()
  const ways = await links.ofUser(account.id)
  const elsewhere = ways.length > 0 && ways.every((way) => all.some(({ id, secondFactor }) => id === way.provider && secondFactor))
  if (elsewhere === account.factorElsewhere) return account
  await users.setFactorElsewhere(account.id, elsewhere)
  return (await users.find(account.id)) ?? account
}
