import * as z from 'zod/mini'
import { HandOver, HandOverChoice } from '../../shared/contract/hand-over.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { OutboxJob } from '../jobs/outbox.ts'

export const HAND_OVER_JOB = 'hand-over'

/** What a job has to do. Names are those of the beginning. */
export const Task = z.extend(HandOverChoice, {
  user: z.object({ id: z.number(), name: z.string() }),
  successor: z.object({ id: z.number(), name: z.string() }),
  by: z.object({ id: z.number(), name: z.string(), token: z.optional(z.string()) }),
  address: z.nullable(z.string()),
  /** The gesture of everything that is moved. */
  group: z.string(),
})
export type Task = z.infer<typeof Task>

/** How far a job is; kept in its row, so that it can go on after a kill. */
export const Report = z.object({
  step: HandOver.shape.step,
  /** Storage path, chosen before anything is moved. */
  folder: z.nullable(z.string()),
  done: z.number(),
  total: z.number(),
  passed: z.number(),
  ended: z.number(),
  error: z.nullable(z.string()),
  kept: z.number(),
})
export type Report = z.infer<typeof Report>

const NOTHING_DONE: Report = { step: 'files', folder: null, done: 0, total: 0, passed: 0, ended: 0, kept: 0, error: null }

export function taskOf({ task }: Pick<OutboxJob, 'task'>): Task {
  return Task.parse(JSON.parse(task))
}

/** A worker that fails unexpectedly leaves a text that is no report. */
export function reportOf({ report }: Pick<OutboxJob, 'report'>): Report {
  if (!report.startsWith('{')) return { ...NOTHING_DONE, error: report === '' ? null : 'unexpected' }
  return Report.parse(JSON.parse(report))
}

/** The new folder of a report, which was written from a path. */
export function folderOf({ folder }: Report): FilePath | null {
  return folder === null ? null : (folder as FilePath)
}

export function toWire(job: OutboxJob): HandOver {
  const [{ successor, by, group }, report] = [taskOf(job), reportOf(job)]
  return {
    id: job.id,
    to: successor,
    by: by.name,
    state: job.state,
    ...report,
    group,
    createdAt: job.createdAt.getTime(),
    endedAt: job.endedAt?.getTime() ?? null,
  }
}
