import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type PeopleShare,
  type PeopleShareChange,
  type PeopleShareInput,
  peopleShares,
  type ReceivedShare,
} from '../../shared/contract/people-shares.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor, unlessGone } from './client.ts'
import { PEOPLE_SHARES_KEY, WITH_ME_KEY } from './query.ts'

const client = clientFor({ peopleShares })
const KEY = PEOPLE_SHARES_KEY

export function readReceived(signal: AbortSignal): Promise<ReceivedShare[]> {
  return client.peopleShares.received({}, { signal })
}

/** The user's shares with people; for administrators everybody's. */
export function readPeopleShares(signal: AbortSignal): Promise<PeopleShare[]> {
  return client.peopleShares.mine({}, { signal })
}

/** Shares of one node. */
export function usePeopleSharesOf(path: FilePath) {
  return useQuery({
    queryKey: [...KEY, 'of', path],
    queryFn: ({ signal }) => client.peopleShares.ofPath({ params: { path } }, { signal }),
    staleTime: 0,
  })
}

/** The user's shares with people; for administrators everybody's. */
export function usePeopleShares() {
  return useQuery(queryOptions({ queryKey: KEY, queryFn: ({ signal }) => readPeopleShares(signal), staleTime: 0 }))
}

/** People and groups whose name begins with the text, or is it. */
export function useFoundRecipients(text: string) {
  return useQuery({
    queryKey: ['recipients', text],
    queryFn: ({ signal }) => client.peopleShares.find({ query: { text } }, { signal }),
    enabled: text !== '',
    staleTime: 60_000,
  })
}

function useChange<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ meta: { shows: 'all' }, mutationFn, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) })
}

export function useSharePeople(path: FilePath) {
  return useChange((body: PeopleShareInput) => client.peopleShares.create({ params: { path }, body }))
}

export function useChangePeopleShare() {
  return useChange(({ id, change }: { id: string; change: PeopleShareChange }) =>
    client.peopleShares.change({ params: { id }, body: change }),
  )
}

export function useEndPeopleShare() {
  return useChange(({ id }: Pick<PeopleShare, 'id'>) => unlessGone(client.peopleShares.remove({ params: { id } })))
}

/** The recipient leaves a share. */
export function useLeaveShare() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<ReceivedShare, 'id'>) => unlessGone(client.peopleShares.remove({ params: { id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: WITH_ME_KEY }),
  })
}
