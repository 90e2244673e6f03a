import type { LeftOut } from '../../shared/archive-format.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'

/** Hears how a deed goes. */
export interface JobProgress {
  /** Bytes to be read in all. */
  total(bytes: number): void
  /** Bytes read so far. */
  read(bytes: number): void
  /** One more file or folder is at its place. */
  placed(): void
  leftOut(name: string, reason: LeftOut): void
  /** One of several things could not be done; the others may be. */
  failed(path: FilePath, error: unknown): void
}

export interface JobContext {
  /**
   * The Drive of the user who asked for it, with the access of this moment and of every step that is done on it. Fails with `access-changed` when that
   * has ended, here and at every step.
   */
  readonly driveNow: () => Promise<Drive>
  readonly progress: JobProgress
  /** Whose turn it takes where people wait for one another. */
  readonly clientKey: string
  readonly signal: AbortSignal
}

/** Something that takes its time, ready to be done. */
export interface PreparedJob {
  /** What it is about, for people. */
  readonly name: string
  /** Where its result is going to be, as the acting user sees it. */
  readonly destination: string
  run(context: JobContext): Promise<void>
}
