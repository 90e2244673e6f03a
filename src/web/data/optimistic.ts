import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Optimistic changes of one response of the server, in the order in which they were made. */
interface Updates<Data> {
  readonly response: Data
  readonly changes: Set<(data: Data) => Data>
}

/** By the data that is shown: a response of the server replaces it, and its updates with it. */
const updates = new WeakMap<object, Updates<unknown>>()

/**
 * Shows a query's data as it will be once a mutation has succeeded. Does nothing if the query has no data.
 * @returns takes back this change and no other one; nothing to do if the query has been refetched meanwhile
 */
export function updateOptimistically<Data extends object>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data,
): () => void {
  if (queries.getQueryData(queryKey) === undefined) return () => undefined
  // Reverts the query to its state before the fetch, at once.
  void queries.cancelQueries({ queryKey, exact: true })
  const before = queries.getQueryData<Data>(queryKey)
  if (before === undefined) return () => undefined
  // Stored below under data of the same query, hence of the same type.
  const { response, changes } = (updates.get(before) as Updates<Data> | undefined) ?? { response: before, changes: new Set() }
  changes.add(change)
  show()
  return () => {
    changes.delete(change)
    const now = queries.getQueryData<Data>(queryKey)
    if (now !== undefined && updates.get(now)?.changes === changes) show()
  }

  function show(): void {
    const data = [...changes].reduce((result, apply) => apply(result), response)
    const shown = queries.setQueryData<Data>(queryKey, data)
    if (shown !== undefined && shown !== response) updates.set(shown, { response, changes } as Updates<unknown>)
  }
}
