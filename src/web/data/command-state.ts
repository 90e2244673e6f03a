import { queryOptions, useQuery } from '@tanstack/react-query'
import { command } from '../../shared/contract/command.ts'
import { clientFor } from './client.ts'

const client = clientFor({ command })

function commandStateQuery() {
  return queryOptions({
    queryKey: ['command-state'] as const,
    queryFn: ({ signal }) => client.command.state({}, { signal }),
    staleTime: 0,
  })
}

/** State of commands and hooks, for administrators; the card shows errors. */
export function useCommandState() {
  return useQuery({ ...commandStateQuery(), throwOnError: false })
}
