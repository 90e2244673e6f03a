import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import {
  type AccountLink,
  type Connection,
  oidc,
  type Provider,
  type ProviderInput,
  providers,
  type TryReport,
} from '../../shared/contract/providers.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import { clientFor, unlessGone } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ oidc, providers })
const KEY = ['providers']

/** All providers; the screen shows errors. */
export function useProviders() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => client.providers.list({}, { signal }), staleTime: 0, throwOnError: false })
}

function useChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>, shows: readonly ErrorCode[] = []) {
  const queries = useQueryClient()
  return useMutation({ meta: { shows }, mutationFn, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) })
}

/** Adds a provider, or changes the one with that id. @returns null if the user cancelled */
export function useSaveProvider() {
  return useChange(
    ({ id, isNew, input }: { id: string; isNew: boolean; input: ProviderInput }) =>
      withReauthentication(async (proof) => {
        if (isNew) await client.providers.create({ body: { ...input, id, ...proof } })
        else await client.providers.update({ params: { id }, body: { ...input, ...proof } })
        return id
      }),
    ['invalid-input', 'already-exists', 'secret-needed'],
  )
}

export function useRemoveProvider() {
  return useChange((id: string) => withReauthentication((proof) => unlessGone(client.providers.remove({ params: { id }, body: proof }))))
}

export function useOrderProviders() {
  return useChange((ids: string[]) => client.providers.order({ body: { ids } }))
}

export function useSetOnly() {
  return useChange((only: boolean) => withReauthentication((proof) => client.providers.only({ body: { only, ...proof } })))
}

/** The first steps of a trial, and the way to the provider. */
export function useTryProvider() {
  return useMutation({ mutationFn: (id: string) => client.providers.try({ params: { id } }) })
}

/** What a trial found, once, after the provider has led back. */
export function useTried({ enabled }: { enabled: boolean }): TryReport | null {
  const { data } = useQuery({
    queryKey: ['provider-tried'],
    queryFn: () => client.providers.tried({}),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

export function useAccountLinks(): AccountLink[] {
  return useSuspenseQuery({ queryKey: [...KEY, 'links'], queryFn: ({ signal }) => client.providers.links({}, { signal }) }).data
}

export function useAddLink() {
  return useChange(
    (input: { provider: string; subject: string; username: string }) =>
      withReauthentication((proof) => client.providers.link({ body: { ...input, ...proof } })),
    ['not-found', 'already-exists', 'invalid-input'],
  )
}

export function useRemoveLink() {
  return useChange(({ issuer, subject }: AccountLink) =>
    withReauthentication((proof) => unlessGone(client.providers.unlink({ body: { issuer, subject, ...proof } }))),
  )
}

export const CONNECTIONS = ['connections']

/** The providers with which the own account is connected, or could be. */
export function useConnections(): Connection[] {
  return useSuspenseQuery({ queryKey: CONNECTIONS, queryFn: ({ signal }) => client.oidc.connections({}, { signal }) }).data.connections
}

/** Leads to the provider. */
export function useConnect() {
  return useMutation({
    async mutationFn(id: string) {
      const begun = await withReauthentication((proof) =>
        client.oidc.connect({ params: { id }, body: { to: '/settings/profile', ...proof } }),
      )
      if (begun !== null) location.assign(begun.url)
    },
  })
}

/** Finishes a connection, once, after the provider has led back. */
export function useConnected({ enabled }: { enabled: boolean }) {
  const queries = useQueryClient()
  return useQuery({
    queryKey: ['connected'],
    async queryFn() {
      const result = await client.oidc.connected({})
      await queries.invalidateQueries({ queryKey: CONNECTIONS })
      return result
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}

export function useDisconnect() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['forbidden'] },
    mutationFn: (id: string) => withReauthentication((proof) => client.oidc.disconnect({ params: { id }, body: proof })),
    onSettled: () => queries.invalidateQueries({ queryKey: CONNECTIONS }),
  })
}

export type { Provider }
