import { useMutation, useQuery } from '@tanstack/react-query'
import { viewings } from '../../shared/contract/viewings.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'
import { CURRENT_VIEWING, HOME_URL } from './share-context.ts'

const client = clientFor({ viewings })

/** Begins to look as somebody else, on a page of its own. */
export function useViewAs() {
  return useMutation({
    mutationFn: (user: number) => withReauthentication((proof) => client.viewings.begin({ body: { user, ...proof } })),
    onSuccess: (viewing) => viewing !== null && location.assign(`${HOME_URL}/view-as/${viewing.id}/files/`),
  })
}

/** As whom the page looks; an error when that has ended. */
export function useViewing() {
  return useQuery({
    queryKey: ['viewing'] as const,
    queryFn: ({ signal }) => client.viewings.get({ params: { id: CURRENT_VIEWING ?? '' } }, { signal }),
    enabled: CURRENT_VIEWING !== null,
    refetchOnWindowFocus: 'always',
    retry: false,
    throwOnError: false,
  })
}

/** Ends it and goes back. If it cannot be ended now, it ends by itself. */
export async function leaveViewing(home: string): Promise<void> {
  await client.viewings.end({ params: { id: CURRENT_VIEWING ?? '' } }).catch(() => undefined)
  location.assign(`${home}/files/`)
}

/** Who looked at the files as the user. */
export function useViewingsOfMe() {
  return useQuery({
    queryKey: ['viewings'] as const,
    queryFn: ({ signal }) => client.viewings.ofMe({}, { signal }),
    throwOnError: false,
  })
}
