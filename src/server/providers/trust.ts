import type { Users } from '../users/users.ts'
import type { AccountLinks } from './account-links.ts'

/** Accounts that sign in through this provider may need a second factor of ours again, at once and not only from the next sign-in on. */
export async function trustNoMore(
  { links, users }: { readonly links: AccountLinks; readonly users: Pick<Users, 'find' | 'setFactorElsewhere'> },
  provider: string,
): Promise<void> {
  for (const { user_id: userId } of await links.ofProvider(provider))
    if ((await users.find(userId))?.factorElsewhere === true) await users.setFactorElsewhere(userId, false)
}
