import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Webhook, webhooks } from '../../shared/contract/webhooks.ts'
import { clientFor, unlessGone } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ webhooks })

export type WebhookInput = Pick<Webhook, 'url' | 'events' | 'enabled'>

/** All webhooks and their latest deliveries; the card shows errors. */
export function useWebhooks() {
  return useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => client.webhooks.list({}, { signal }),
    staleTime: 0,
    throwOnError: false,
  })
}

/** Creates a webhook, or updates the one with that id. @returns its secret if there is a new one; null if the user cancelled */
export function useSaveWebhook() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['invalid-input'] },
    mutationFn: ({ id, input, renew = false }: { id: string | null; input: WebhookInput; renew?: boolean }) =>
      withReauthentication<{ hook: Webhook; secret: string | null }>((proof) =>
        id === null
          ? client.webhooks.create({ body: { ...input, ...proof } })
          : client.webhooks.update({ params: { id }, body: { ...input, renew, ...proof } }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
}

export function useRemoveWebhook() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unlessGone(client.webhooks.remove({ params: { id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
}

export function useTestWebhook() {
  return useMutation({ mutationFn: (id: string) => client.webhooks.test({ params: { id } }) })
}
