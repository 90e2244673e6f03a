import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ApiToken, type ApiTokenInput, tokens } from '../../shared/contract/tokens.ts'
import { clientFor, unlessGone } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ tokens })

/** Whose tokens: the user's own, those of the user with this id, or everybody's. The latter two are for administrators. */
export type TokensOf = 'me' | 'everybody' | number

declare module './prompts.ts' {
  interface PromptKinds {
    /** Makes an API token and shows it; answered when a token was made. */
    'api-token': { props: Record<never, never>; answer: true }
    /** Asks whether to sign out everywhere, and whether to revoke the API tokens too. */
    'sign-out-everywhere': { props: Record<never, never>; answer: { tokens: boolean } }
  }
}

function tokensQuery(of: TokensOf) {
  const query = of === 'me' ? {} : of === 'everybody' ? { all: 'true' } : { user: String(of) }
  return queryOptions({
    queryKey: ['tokens', of],
    queryFn: ({ signal }) => client.tokens.list({ query }, { signal }),
    staleTime: 0,
  })
}

export function useTokens(of: TokensOf): ApiToken[] {
  return useSuspenseQuery(tokensQuery(of)).data
}

/** @returns null if reauthentication was cancelled */
export function useCreateToken() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['invalid-input', 'not-found'] },
    mutationFn: (input: ApiTokenInput) => withReauthentication((proof) => client.tokens.create({ body: { ...input, ...proof } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  })
}

/** A token that has gone already counts as revoked. */
export function useRevokeToken({ onRevoked }: { onRevoked: () => void }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ApiToken) => unlessGone(client.tokens.remove({ params: { id } })),
    onSuccess: onRevoked,
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  })
}
