import type { LeftOut } from '../../shared/archive-format.ts'
import { type JobError, Job } from '../../shared/contract/jobs.ts'
import type { JobProgress } from './prepared-job.ts'
import * as z from 'zod/mini'

/** The progress of a job, for those who watch it. */
export interface Progress extends JobProgress {
  now(): Pick<Report, 'done' | 'total' | 'items' | 'leftOut' | 'failed'>
  speed(): number
}

const MOST_NAMED = 20
const SAMPLE_EVERY_MS = 500
const SAMPLES = 10

/** @param errorOf describes a failure for people */
export function createProgress(errorOf: (error: unknown) => JobError): Progress {
  let done = 0
  let total: number | null = null
  let items = 0
  let count = 0
  const first: { name: string; reason: LeftOut }[] = []
  let failures = 0
  const firstFailures: { path: string; error: JobError }[] = []
  const samples = [{ at: performance.now(), done: 0 }]

  return {
    total: (bytes) => void (total = bytes),
    read(bytes) {
      done = bytes
      const at = performance.now()
      if (at - (samples.at(-1)?.at ?? 0) < SAMPLE_EVERY_MS) return
      samples.push({ at, done })
      if (samples.length > SAMPLES) samples.shift()
    },
    placed: () => void items++,
    leftOut(name, reason) {
      count++
      if (first.length < MOST_NAMED) first.push({ name, reason })
    },
    failed(path, error) {
      failures++
      if (firstFailures.length < MOST_NAMED) firstFailures.push({ path, error: errorOf(error) })
    },
    now: () => ({
      done,
      total,
      items,
      leftOut: { count, first: [...first] },
      failed: { count: failures, first: [...firstFailures] },
    }),
    speed() {
      const [oldest] = samples
      const seconds = (performance.now() - (oldest?.at ?? 0)) / 1000
      return seconds > 0 ? Math.round((done - (oldest?.done ?? 0)) / seconds) : 0
    },
  }
}

export const Report = z.object({
  about: z.object({ name: z.string(), destination: z.string() }),
  done: Job.shape.done,
  total: Job.shape.total,
  items: Job.shape.items,
  leftOut: Job.shape.leftOut,
  // Reports of earlier versions have none.
  failed: z._default(Job.shape.failed, { count: 0, first: [] }),
  error: Job.shape.error,
})
export type Report = z.infer<typeof Report>

export function parseReport(text: string): Report {
  return Report.parse(JSON.parse(text))
}
