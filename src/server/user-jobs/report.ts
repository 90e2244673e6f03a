import * as z from 'zod/mini'
import { Job } from '../../shared/contract/jobs.ts'

/** What is stored about a job. */
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
