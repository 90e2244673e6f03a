import type { LeftOut } from '../../shared/archive-format.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'

export interface JobProgress {
  total(bytes: number): void
  read(bytes: number): void
  /** One more file or folder is finished. */
  placed(): void
  leftOut(name: string, reason: LeftOut): void
  /** One of several items failed; the others continue. */
  failed(path: FilePath, error: unknown): void
}

export interface JobContext {
  /** The user's Drive, with access rechecked at every step. Fails with `access-changed` when that has ended. */
  readonly drive: Drive
  readonly progress: JobProgress
  /** Identifies the user to fair queues. */
  readonly clientKey: string
  readonly signal: AbortSignal
  /**
   * Call this before the first change: until then, another server starts the job anew if this one dies. Fails if the job is not ours any more, or was
   * cancelled.
   */
  changing(): Promise<void>
}

/** A validated job, ready to run. */
export interface PreparedJob {
  /** What it is about, for people. */
  readonly name: string
  /** Where its result is going to be, by the user's path. */
  readonly destination: string
  run(context: JobContext): Promise<void>
}
