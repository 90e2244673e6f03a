import { isAppError } from '../../../shared/errors.ts'
import type { FilePath } from '../../../shared/file-path.ts'

/** One file on its way. */
export interface UploadItem {
  readonly path: FilePath
  readonly file: File
}

/** What a taken name leads to. `keep-both` means that the job goes to another, free name. */
export type ConflictAnswer = 'replace' | 'skip' | 'keep-both'

/** How a job reaches the server; tests put their own in its place. */
export interface UploadTransport {
  /** Fails with `already-exists` before any byte has travelled. */
  begin(job: UploadItem, options: { override: boolean }): Promise<void>
  transfer(job: UploadItem, options: { override: boolean }): Promise<void>
  askConflict(job: UploadItem): Promise<ConflictAnswer>
  freeName(path: FilePath): Promise<FilePath>
}

/**
 * One file, from the drop to its place. A taken name is a question, put at most once, if possible before any byte is sent.
 * @param decided the answer that was already given for this job when a whole drop was asked about at once
 */
export async function send(
  job: UploadItem,
  transport: UploadTransport,
  decided: ConflictAnswer | null = null,
): Promise<'sent' | 'skipped'> {
  let answer = decided
  let current = job
  for (;;) {
    if (answer === 'skip') return 'skipped'
    if (answer === 'keep-both') current = { ...job, path: await transport.freeName(job.path) }
    const override = answer === 'replace'
    try {
      await transport.begin(current, { override })
      await transport.transfer(current, { override })
      return 'sent'
    } catch (error) {
      // A free name can be taken again by somebody else: then the next free one. Replacing cannot conflict.
      if (!isAppError(error, 'already-exists') || answer === 'replace') throw error
      if (answer === null) answer = await transport.askConflict(job)
    }
  }
}
