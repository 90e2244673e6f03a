import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HandOver, type HandOverChoice, handOver } from '../../shared/contract/hand-over.ts'
import { operations } from '../../shared/contract/operations.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ handOver, operations })

const LOOK_EVERY_MS = 1000

/** What somebody leaves, and what would become of it; the screen shows errors. @param wish.to id of the successor; null before one is chosen */
export function useBelongings(id: number, { to, folder }: { to: number | null; folder: string }) {
  return useQuery({
    queryKey: ['belongings', id, to, folder] as const,
    queryFn: ({ signal }) =>
      client.handOver.preview({ params: { id: String(id) }, query: { folder, ...(to !== null && { to: String(to) }) } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: false,
  })
}

export function isGoingOn({ state }: Pick<HandOver, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** The last one of an account; null if there was none, undefined until it has arrived. Looked at again while it goes on. */
export function useLastHandOver(id: number): HandOver | null | undefined {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await client.handOver.state({ params: { id: String(id) } }, { signal })).last,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isGoingOn(data) ? LOOK_EVERY_MS : false),
  }).data
}

/** @returns null if reauthentication was cancelled */
export function useStartHandOver(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (choice: HandOverChoice) =>
      withReauthentication((proof) => client.handOver.start({ params: { id: String(id) }, body: { ...choice, ...proof } })),
    onSuccess: (begun) => begun !== null && queries.setQueryData(keyOf(id), begun),
    onSettled: () => Promise.all([['users'], ['people'], ['belongings']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

/** Moves the files back, as far as they are as they were left. @returns whether all of them are back, or on their way */
export function useTakeBack(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (group: string) => {
      const { items } = await client.operations.undo({ params: { group } })
      return items.every(({ outcome }) => outcome === 'done')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['belongings', id] }),
  })
}

function keyOf(id: number) {
  return ['hand-over', id] as const
}
