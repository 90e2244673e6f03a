import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mail } from '../../shared/contract/mail.ts'
import { passwordLinks } from '../../shared/contract/password-links.ts'
import { clientFor } from './client.ts'
import { pageConfig } from './page-config.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ passwordLinks, mail })

/** What a link is for; fails with `not-found` if it counts no more. */
export function usePasswordLink(secret: string) {
  return useQuery({
    queryKey: ['password-link', secret],
    queryFn: ({ signal }) => client.passwordLinks.read({ body: { secret } }, { signal }),
    throwOnError: false,
    retry: false,
    staleTime: Infinity,
  })
}

/** Sets a password by a link. */
export async function choosePassword(secret: string, password: string): Promise<boolean> {
  await client.passwordLinks.use({ body: { secret, password } })
  return true
}

export function useConfirmAddress() {
  return useMutation({ meta: { shows: 'all' }, mutationFn: (secret: string) => client.passwordLinks.use({ body: { secret } }) })
}

/** Asks for a link, whether or not there is such an account. */
export function useAskForLink() {
  return useMutation({
    meta: { shows: 'all' },
    mutationFn: (username: string) => client.passwordLinks.ask({ body: { username, locale: document.documentElement.lang.toLowerCase() } }),
  })
}

/** A link for a user, as an administrator passes it on. */
export interface MadeLink {
  readonly url: string
  readonly expires: Date
  readonly mailedTo: string | null
}

/**
 * Makes a link for a user, and sends it if the user has an address.
 * @param options.address saved first; empty removes it, absent leaves it as it is
 * @returns null if reauthentication was cancelled
 */
export function useMakeLink() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['invalid-input'] },
    mutationFn: ({ userId, address }: { userId: number; address?: string | undefined }): Promise<MadeLink | null> =>
      withReauthentication(async (proof) => {
        const params = { id: String(userId) }
        if (address !== undefined) await client.mail.setAddress({ params, body: { address, ...proof } })
        const { secret, expires, mailedTo } = await client.passwordLinks.create({ params, body: { mail: true, ...proof } })
        return { url: passwordLink(secret), expires: new Date(expires), mailedTo }
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mail', 'address'] }),
  })
}

/** The address of a link by which somebody chooses a password. */
export function passwordLink(secret: string): string {
  return `${location.origin}${pageConfig.BaseURL}/password#${secret}`
}
