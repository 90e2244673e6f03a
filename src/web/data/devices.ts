import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type Device, session } from '../../shared/contract/session.ts'
import { isAppError } from '../../shared/errors.ts'
import { clientFor } from './client.ts'

const client = clientFor({ session })

const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => client.session.list({}, { signal }),
})

/** Where this person is signed in, the latest used first. */
export function useDevices(): Device[] {
  return useSuspenseQuery(devicesQuery).data
}

/** Signs another device out. One that has just ended by itself is as good. */
export function useEndDevice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: Device) => {
      try {
        await client.session.end({ params: { id } })
      } catch (error) {
        if (!isAppError(error, 'not-found')) throw error
      }
    },
    onSettled: () => queries.invalidateQueries(devicesQuery),
  })
}

/** A new password ends the other sign-ins: the list is to be read again. */
export function useForgetDevices(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries(devicesQuery)
}
