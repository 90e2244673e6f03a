import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type Factors, factors } from '../../shared/contract/factors.ts'
import { clientFor, unlessGone } from './client.ts'
import { pageConfig } from './page-config.ts'
import { createPasskey } from './passkeys.ts'
import { withProof } from './reauthenticate.ts'
import { renew } from './session.ts'

const client = clientFor({ factors })

const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => client.factors.list({}, { signal }),
})

/** The user's own second factors. */
export function useFactors(): Factors {
  return useSuspenseQuery(factorsQuery).data
}

/** New recovery codes; undefined where the account had some. */
export type NewCodes = readonly string[] | undefined

/** A key for an authenticator app; null if the user did not prove who they are. */
export function startTotp(): Promise<{ secret: string; uri: string } | null> {
  return withProof(() => client.factors.startTotp({}))
}

/** Fails with `wrong-code`. */
export async function confirmTotp(code: string): Promise<NewCodes> {
  const { recoveryCodes } = await client.factors.confirmTotp({ body: { code } })
  return recoveryCodes
}

/** Throws `PasskeyDismissed`. @returns null if the user did not prove who they are */
export async function addPasskey(name: string): Promise<{ codes: NewCodes } | null> {
  const challenge = await withProof(() => client.factors.challenge({}))
  if (challenge === null) return null
  const passkey = await createPasskey(challenge.options)
  const { recoveryCodes: codes } = await client.factors.addPasskey({ body: { ticket: challenge.ticket, name, passkey } })
  // This page was loaded before there were any.
  pageConfig.Passkeys = true
  return { codes }
}

/** Has what changes factors read them again; the user's record says whether there are any. */
export function useFactorsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries(factorsQuery)
    await renew().catch(() => undefined)
  }
}

/** A change of factors, after which they are read again. @param change may ask the user to prove who they are */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const changed = useFactorsChanged()
  return useMutation({ mutationFn: change, onSettled: () => changed() })
}

export const useRemoveTotp = () => useChange(() => withProof(() => client.factors.removeTotp({})))

export const useRemovePasskey = () =>
  useChange((id: string) => withProof(() => unlessGone(client.factors.removePasskey({ params: { id } }))))

export const useRenamePasskey = () =>
  useChange(({ id, name }: { id: string; name: string }) => client.factors.renamePasskey({ params: { id }, body: { name } }))

/** The new ones; null if the user did not prove who they are. */
export const useRenewCodes = () => useChange(() => withProof(async () => (await client.factors.renewCodes({})).recoveryCodes))

export const useForgetDevice = () => useChange((id: string) => unlessGone(client.factors.forgetDevice({ params: { id } })))

/** All second factors of somebody else. @returns null if the administrator did not prove who they are */
export function useRemoveFactors({ onRemoved }: { onRemoved: () => void }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => withProof(() => client.factors.removeAll({ params: { id: String(id) } })),
    onSuccess: (done) => done !== null && onRemoved(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
}
