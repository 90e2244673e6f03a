import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { appSignIns } from '../../shared/contract/app-sign-ins.ts'
import { clientFor, unlessGone } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ appSignIns })

function signInQuery(id: string) {
  return queryOptions({
    queryKey: ['app-sign-in', id],
    queryFn: ({ signal }) => client.appSignIns.read({ params: { id } }, { signal }),
    staleTime: Infinity,
    retry: false,
  })
}

/** A program that waits for its person. */
export function useAppSignIn(id: string) {
  return useQuery(signInQuery(id))
}

/** Its result is null if reauthentication was cancelled. */
export function useAllowApp(id: string) {
  return useMutation({
    meta: { shows: 'all' },
    mutationFn: () =>
      withReauthentication(async (proof) => {
        await client.appSignIns.allow({ params: { id }, body: proof })
        return true
      }),
  })
}

/** Fine as well if it has ended meanwhile. */
export function useRefuseApp(id: string) {
  return useMutation({ meta: { shows: 'all' }, mutationFn: () => unlessGone(client.appSignIns.refuse({ params: { id } })) })
}
