import type { ArchiveProblem } from './archive-format.ts'

/** Every error of the product, with the details that its reader needs. A new one without a status or an English text does not compile. */
export interface ErrorDetails {
  'invalid-input': { issues: string[] }
  'sign-in-needed': Record<string, never>
  'share-password-needed': Record<string, never>
  /** Seconds since 1970. */
  'share-not-yet': { starts: number }
  'wrong-credentials': Record<string, never>
  forbidden: { right: string }
  /** The account, the session, the rules or the folder changed during an operation, which stopped there. */
  'access-changed': Record<string, never>
  'proof-needed': Record<string, never>
  'download-refused': Record<string, never>
  'not-found': { path?: string }
  'method-not-allowed': { allow: string[] }
  'already-exists': { path: string }
  'name-taken': { username: string }
  'wrong-offset': { offset: number }
  'precondition-failed': { path?: string }
  'too-large': { limit: number }
  'unsupported-media-type': { expected: string }
  'range-not-satisfiable': { size: number }
  busy: { path?: string }
  'too-many-requests': { retryAfterSeconds: number }
  'hook-failed': { output: string }
  'not-previewable': { path?: string }
  'archive-refused': { reason: ArchiveProblem }
  'too-many-favourites': { limit: number }
  'storage-full': Record<string, never>
  /** The disk does not keep up with what is asked of it, or does not answer at all. */
  'storage-busy': { retryAfterSeconds: number }
  offline: Record<string, never>
  unexpected: { incident: string }
}

export type ErrorCode = keyof ErrorDetails

export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly detail: ErrorDetails[Code]

  constructor(code: Code, detail: ErrorDetails[Code], options?: ErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.detail = detail
  }
}

/** Throws; its type `never` allows it at the end of a `??`. */
export function fail<Code extends ErrorCode>(code: Code, detail: ErrorDetails[Code], options?: ErrorOptions): never {
  throw new AppError(code, detail, options)
}

/** Whether `error` is one of ours, optionally with this code. */
export function isAppError<Code extends ErrorCode>(error: unknown, code?: Code): error is AppError<Code> {
  return error instanceof AppError && (code === undefined || error.code === code)
}
