import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { mail, type MailChange, type NoticeChoices } from '../../shared/contract/mail.ts'
import { clientFor } from './client.ts'
import { updateOptimistically } from './optimistic.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ mail })

const MAIL = ['mail'] as const
const addressKey = (userId: number) => ['mail', 'address', userId] as const

/** The mail server and the latest mails. Errors go to the error boundary. */
export function useMail() {
  return useSuspenseQuery({ queryKey: MAIL, queryFn: ({ signal }) => client.mail.get({}, { signal }), staleTime: 0 })
}

/** @returns null if reauthentication was cancelled */
export function useSaveMail() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['invalid-input'] },
    mutationFn: (change: MailChange) =>
      withReauthentication(async (proof) => {
        await client.mail.update({ body: { ...change, ...proof } })
        return true
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: MAIL, exact: true }),
  })
}

export function useMailCheck() {
  return useMutation({ meta: { shows: ['invalid-input'] }, mutationFn: (to: string) => client.mail.test({ body: { to } }) })
}

/** Where mail for a user goes; undefined until it is known, also if that fails. */
export function useMailAddress(userId: number) {
  return useQuery({
    queryKey: addressKey(userId),
    queryFn: ({ signal }) => client.mail.address({ params: { id: String(userId) } }, { signal }),
    throwOnError: false,
  }).data
}

const NOTICES = ['mail', 'notices'] as const

/** What the user wants to be told by mail; undefined until it is known, also if that fails. */
export function useNoticeChoices(): NoticeChoices | undefined {
  return useQuery({ queryKey: NOTICES, queryFn: ({ signal }) => client.mail.notices({}, { signal }), throwOnError: false }).data
}

/** Saved one after the other, so that the last choice wins on the server too. */
export function useChooseNotice() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey: NOTICES,
    scope: { id: 'notices' },
    mutationFn: (body: Partial<NoticeChoices>) => client.mail.setNotices({ body }),
    onMutate: (choice) => updateOptimistically<NoticeChoices>(queries, NOTICES, (now) => ({ ...now, ...choice })),
    onError: (_error, _choice, rollback) => rollback?.(),
    onSettled: () => {
      // A response read while another choice is being saved would be outdated.
      if (queries.isMutating({ mutationKey: NOTICES }) === 1) void queries.invalidateQueries({ queryKey: NOTICES })
    },
  })
}

/** @returns null if reauthentication was cancelled */
export function useSaveMailAddress(userId: number) {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['invalid-input'] },
    mutationFn: (address: string) =>
      withReauthentication((proof) => client.mail.setAddress({ params: { id: String(userId) }, body: { address, ...proof } })),
    onSuccess: (saved) => {
      if (saved !== null) queries.setQueryData(addressKey(userId), saved)
    },
  })
}
