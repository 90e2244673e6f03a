import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { BodyInput } from '../../shared/contract/endpoint.ts'
import { type Job, jobs, type JobState } from '../../shared/contract/jobs.ts'
import { isWithin, parseFilePath } from '../../shared/file-path.ts'
import { callsTo } from './client.ts'

const client = callsTo({ jobs })

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

/** What is under way, and what ended badly, or while this page looked. */
export function useJobs(owner: number | null, since: number): Job[] {
  const { data } = useQuery(jobsQuery(owner))
  return (data ?? []).filter(
    (job) =>
      isOpenJob(job) || job.state === 'failed' || job.state === 'interrupted' || (job.state === 'done' && (job.endedAt ?? 0) >= since),
  )
}

/** Begins a long deed; how it goes is told where uploads are. Fails where it is known at once that it would. */
export async function startJob(queries: QueryClient, order: BodyInput<typeof jobs.start>): Promise<void> {
  await client.jobs.start({ body: order })
  await queries.invalidateQueries({ queryKey: ['jobs'] })
}

/** Cancels what is under way, forgets what has ended. */
export async function removeJob(queries: QueryClient, id: string): Promise<void> {
  await client.jobs.remove({ params: { id } }).catch(() => undefined)
  await queries.invalidateQueries({ queryKey: ['jobs'] })
}

/** The listings in which a job's result may be. */
export async function refreshFor(queries: QueryClient, { destination }: Job): Promise<void> {
  const place = parseFilePath(destination)
  await queries.invalidateQueries({
    predicate: ({ queryKey: [kind, path] }) =>
      kind === 'folder' && typeof path === 'string' && (isWithin(parseFilePath(path), place) || isWithin(place, parseFilePath(path))),
  })
}
