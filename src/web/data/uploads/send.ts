import { isAppError } from '../../../shared/errors.ts'
import type { FilePath } from '../../../shared/file-path.ts'

/** A file to upload. */
export interface UploadItem {
  readonly path: FilePath
  readonly file: File
  /** The gesture that it belongs to. */
  readonly operation?: string
}

/** How to resolve a name conflict. `keep-both` uploads under a free name. */
export type ConflictAnswer = 'replace' | 'skip' | 'keep-both'

/** The requests of an upload; replaced in tests. */
export interface UploadTransport {
  /** Fails with `already-exists` before any byte is sent. */
  begin(job: UploadItem, options: { override: boolean }): Promise<void>
  transfer(job: UploadItem, options: { override: boolean }): Promise<void>
  askConflict(job: UploadItem): Promise<ConflictAnswer>
  freeName(path: FilePath): Promise<FilePath>
}

/** Uploads one file. Asks about a name conflict at most once, if possible before sending. @param decided the answer given for the whole drop */
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
      // A free name can be taken meanwhile: try the next one. Replacing cannot conflict.
      if (!isAppError(error, 'already-exists') || answer === 'replace') throw error
      if (answer === null) answer = await transport.askConflict(job)
    }
  }
}
