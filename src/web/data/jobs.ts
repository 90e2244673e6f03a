import { mutationOptions, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { BodyInput } from '../../shared/contract/endpoint.ts'
import { type Job, type JobError, jobs, type JobState } from '../../shared/contract/jobs.ts'
import { AppError, type ErrorDetails } from '../../shared/errors.ts'
import { isWithin, parseFilePath } from '../../shared/file-path.ts'
import { clientFor, unlessGone } from './client.ts'
import { FAVOURITES_KEY, TRASH_KEY } from './query.ts'
import { CURRENT_VIEWING } from './share-context.ts'

const client = clientFor({ jobs })

const LOOK_EVERY_MS = 1000

export function isOpenJob({ state }: { state: JobState }): boolean {
  return state === 'waiting' || state === 'running'
}

/** The user's jobs; polled every second while one is running. */
export function jobsQuery(owner: number | null) {
  return queryOptions({
    queryKey: ['jobs', owner] as const,
    queryFn: ({ signal }) => client.jobs.list({}, { signal }),
    // Nobody has jobs while looking as somebody else.
    enabled: owner !== null && CURRENT_VIEWING === null,
    refetchInterval: ({ state }) => (state.data?.some(isOpenJob) === true ? LOOK_EVERY_MS : false),
    structuralSharing: true,
  })
}

/**
 * Running jobs, failed jobs, and jobs that ended while this page was open. Invalidates the listings of jobs that have just ended. Compares with the
 * first response, because browser and server clocks differ.
 */
export function useJobs(owner: number | null): Job[] {
  const queries = useQueryClient()
  const { data = null } = useQuery(jobsQuery(owner))
  const [past, setPast] = useState<ReadonlySet<string> | null>(null)
  if (past === null && data !== null) setPast(new Set(data.filter((job) => !isOpenJob(job)).map(({ id }) => id)))
  const told = useRef(new Set<string>())
  // Synchronises with the cache.
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

/** Starts a job; `ended` resolves with its result. Fails if the server rejects it. @param operation the gesture */
export async function startJob(
  queries: QueryClient,
  order: BodyInput<typeof jobs.start>,
  operation: string,
): Promise<{ ended: Promise<Job | null> }> {
  return followJob(queries, await client.jobs.start({ body: order }, { operation }))
}

/** For a job that has just been started: shows it; `ended` resolves with its result. */
export async function followJob(queries: QueryClient, { id }: Pick<Job, 'id'>): Promise<{ ended: Promise<Job | null> }> {
  const ended = endOf(queries, id)
  await queries.invalidateQueries({ queryKey: ['jobs'] })
  return { ended }
}

/** Watches the polled jobs. @returns null for a job that was removed before its end was seen */
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

/** The error of a failed job, as the direct call would have thrown it. */
export function failureOf({ code, detail }: JobError): AppError {
  return new AppError(code, detail as ErrorDetails[typeof code])
}

/** Mutation that cancels a running job or removes a finished one; one that is already gone counts as success. */
export function removingJob(queries: QueryClient) {
  return mutationOptions({
    mutationFn: (id: string) => unlessGone(client.jobs.remove({ params: { id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

/** Invalidates the listings that may contain the job's result. */
async function refreshFor(queries: QueryClient, job: Job): Promise<void> {
  if (job.kind === 'empty-trash') return queries.invalidateQueries({ queryKey: TRASH_KEY })
  const place = parseFilePath(job.destination)
  void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  await queries.invalidateQueries({
    predicate: ({ queryKey: [kind, path] }) =>
      kind === 'folder' && typeof path === 'string' && (isWithin(parseFilePath(path), place) || isWithin(place, parseFilePath(path))),
  })
}
