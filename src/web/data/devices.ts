import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type Device, session } from '../../shared/contract/session.ts'
import { clientFor, unlessGone } from './client.ts'

const client = clientFor({ session })

const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => client.session.list({}, { signal }),
})

/** Active sessions of the user, last used first. */
export function useDevices(): Device[] {
  return useSuspenseQuery(devicesQuery).data
}

/** Signs out another device; a session that has already ended counts as success. */
export function useEndDevice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Device) => unlessGone(client.session.end({ params: { id } })),
    onSettled: () => queries.invalidateQueries(devicesQuery),
  })
}

/** Invalidates the list after a password change, which ends other sessions. */
export function useForgetDevices(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries(devicesQuery)
}
