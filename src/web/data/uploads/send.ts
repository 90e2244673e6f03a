import { isAppError } from '../../../shared/errors.ts'
import type { FilePath } from '../../../shared/file-path.ts'

/** One file on its way. */
export interface Job {
  readonly path: FilePath
  readonly file: File
}

/** What a taken name leads to. `keep-both` means that the job goes to another, free name. */
export type ConflictAnswer = 'replace' | 'skip' | 'keep-both'

/** How a job reaches the server; tests put their own in its place. */
export interface Wire {
  /** Fails with `already-exists` before any byte has travelled. */
  begin(job: Job, options: { override: boolean }): Promise<void>
  transfer(job: Job, options: { override: boolean }): Promise<void>
  ask(job: Job): Promise<ConflictAnswer>
  freeName(path: FilePath): Promise<FilePath>
}

/**
 * One file, from the drop to its place. A taken name is a question, put at most once, if possible before any byte is sent.
 * @param decided the answer that was already given for this job when a whole drop was asked about at once
 */
export async function send(job: Job, wire: Wire, decided: ConflictAnswer | null = null): Promise<'sent' | 'skipped'> {
  let answer = decided
  let current = job
  for (;;) {
    if (answer === 'skip') return 'skipped'
    if (answer === 'keep-both') current = { ...job, path: await wire.freeName(job.path) }
    const override = answer === 'replace'
    try {
      await wire.begin(current, { override })
      await wire.transfer(current, { override })
      return 'sent'
    } catch (error) {
      // A free name can be taken again by somebody else: then the next free one. Replacing cannot conflict.
      if (!isAppError(error, 'already-exists') || answer === 'replace') throw error
      if (answer === null) answer = await wire.ask(job)
    }
  }
}
