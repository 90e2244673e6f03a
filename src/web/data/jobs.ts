import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { BodyInput } from '../../shared/contract/endpoint.ts'
import { type Job, type JobError, jobs, type JobState } from '../../shared/contract/jobs.ts'
import { AppError, type ErrorDetails, isAppError } from '../../shared/errors.ts'
import { isWithin, parseFilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { FAVOURITES_KEY } from './favourite-entry.ts'

const client = clientFor({ jobs })

const LOOK_EVERY_MS = 1000

export function isOpenJob({ state }: { state: JobState }): boolean {
  return state === 'waiting' || state === 'running'
}

/** One's own long deeds; looked at again every second while one is under way. */
export function jobsQuery(owner: number | null) {
  return queryOptions({
    queryKey: ['jobs', owner] as const,
    queryFn: ({ signal }) => client.jobs.list({}, { signal }),
    enabled: owner !== null,
    refetchInterval: ({ state }) => (state.data?.some(isOpenJob) === true ? LOOK_EVERY_MS : false),
    structuralSharing: true,
  })
}

/**
 * What is under way, and what ended badly, or while this page looked. Listings are read anew for what has just ended, whatever is on show of it.
 * Which those are is told by what there was at the first look: clocks of browsers and servers differ.
 */
export function useJobs(owner: number | null): Job[] {
  const queries = useQueryClient()
  const { data = null } = useQuery(jobsQuery(owner))
  const [past, setPast] = useState<ReadonlySet<string> | null>(null)
  if (past === null && data !== null) setPast(new Set(data.filter((job) => !isOpenJob(job)).map(({ id }) => id)))
  const told = useRef(new Set<string>())
  // Talks to the cache.
  useEffect(() => {
    if (past === null || data === null) return
    for (const job of data) {
      if (isOpenJob(job) || past.has(job.id) || told.current.has(job.id)) continue
      told.current.add(job.id)
      void refreshFor(queries, job)
    }
  }, [data, past, queries])
  return (data ?? []).filter(({ id, state }) => state !== 'cancelled' && (state !== 'done' || past?.has(id) === false))
}

/** Begins a long deed; how it goes is told where uploads are, and by `ended`. Fails where it is known at once that it would. */
export async function startJob(queries: QueryClient, order: BodyInput<typeof jobs.start>): Promise<{ ended: Promise<Job | null> }> {
  const { id } = await client.jobs.start({ body: order })
  const ended = endOf(queries, id)
  await queries.invalidateQueries({ queryKey: ['jobs'] })
  return { ended }
}

/** Told by whoever looks at the jobs while one is under way. @returns null for one that somebody had forgotten before this page saw its end */
function endOf(queries: QueryClient, id: string): Promise<Job | null> {
  return new Promise((resolve) => {
    let seen = false
    const stop = queries.getQueryCache().subscribe(({ query: { queryKey } }) => {
      if (queryKey[0] !== 'jobs') return
      const job = queries.getQueryData<Job[]>(queryKey)?.find((one) => one.id === id) ?? null
      if (job === null ? !seen : isOpenJob(job)) return void (seen ||= job !== null)
      stop()
      resolve(job)
    })
  })
}

/** Why something could not be done, as the call itself would have failed. */
export function failureOf({ code, detail }: JobError): AppError {
  return new AppError(code, detail as ErrorDetails[typeof code])
}

/** Cancels what is under way, forgets what has ended; what is gone already is as good. */
export async function removeJob(queries: QueryClient, id: string): Promise<void> {
  try {
    await client.jobs.remove({ params: { id } })
  } catch (error) {
    if (!isAppError(error, 'not-found')) throw error
  } finally {
    await queries.invalidateQueries({ queryKey: ['jobs'] })
  }
}

/** The listings in which a job's result may be. */
async function refreshFor(queries: QueryClient, { destination }: Job): Promise<void> {
  const place = parseFilePath(destination)
  void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  await queries.invalidateQueries({
    predicate: ({ queryKey: [kind, path] }) =>
      kind === 'folder' && typeof path === 'string' && (isWithin(parseFilePath(path), place) || isWithin(place, parseFilePath(path))),
  })
}
