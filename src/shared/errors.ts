/** Why an archive cannot be read, or not completely. */
export type ArchiveProblem =
  /** Not an archive of a supported type, whatever its name. */
  | 'unknown'
  /** Cut off, or its bytes are not those that were packed. */
  | 'damaged'
  | 'encrypted'
  /** Entries share bytes: a bomb. */
  | 'overlapping'
  | 'entries'
  | 'size'
  /** Its compression ratio is implausible: a bomb. */
  | 'ratio'
  | 'time'
  /** The program that read it was killed, for example because the machine is short of memory. */
  | 'stopped'

/** How somebody can prove a second time who they are. */
type SecondWay = 'totp' | 'passkey' | 'recovery'

/** Every error of the product, with the details that its reader needs. A new one without a status or an English text does not compile. */
export interface ErrorDetails {
  'invalid-input': { issues: string[] }
  'sign-in-needed': Record<string, never>
  /** The API token is unknown, has ended, or was revoked. */
  'invalid-token': Record<string, never>
  'share-password-needed': Record<string, never>
  /** Seconds since 1970. */
  'share-not-yet': { starts: number }
  'wrong-credentials': Record<string, never>
  /** The directory in which somebody may have an account cannot be asked now. */
  'directory-away': Record<string, never>
  /** The directory accepted the password, and still there is no sign-in; `problem` is one of `SignInProblem`. */
  'directory-refused': { problem: string }
  forbidden: { right: string }
  /** The password is the one that the first start printed; nothing is served until it is another one. */
  'own-password-needed': Record<string, never>
  /** The password that the first start printed has been replaced already, perhaps in another window; that choice is kept. */
  'own-password-chosen': Record<string, never>
  /** The account, the session, the rules or the folder changed during an operation, which stopped there. */
  'access-changed': Record<string, never>
  'proof-needed': Record<string, never>
  /** A stored secret or password would be sent to another address: it must be given anew, or given up by an empty one. */
  'secret-needed': { field: 'clientSecret' | 'bindPassword' }
  /** The password was right, and the account has a second factor. `ticket` is for `POST /api/login/second`; `ways` are those of `SecondWay`. */
  'second-factor-needed': { ticket: string; ways: SecondWay[] }
  'second-factor-setup-needed': Record<string, never>
  /** A code or passkey that does not count: wrong, used before, or too old. */
  'wrong-code': Record<string, never>
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
  /**
   * A program that is connected by WebDAV has locked it, or a folder that it is in. `holder` is a username, empty
   * for visitors; `until` in milliseconds since 1970.
   */
  locked: { path: string; by: 'user' | 'somebody'; holder: string; until: number }
  'too-many-requests': { retryAfterSeconds: number }
  'hook-failed': { output: string }
  'not-previewable': { path?: string }
  'archive-refused': { reason: ArchiveProblem }
  'too-many-favourites': { limit: number }
  'storage-full': Record<string, never>
  /** The quota of an account, of a group (then with its name) or of everybody is used up; the numbers are bytes, or files and folders. */
  'quota-exceeded': { of: 'everybody' | 'group' | 'user'; name: string; what: 'bytes' | 'files'; limit: number; used: number }
  /** The disk does not keep up with what is asked of it, does not answer at all, or is away: not connected. */
  'storage-busy': { retryAfterSeconds: number; away?: true }
  /** The folder is served so that nothing in it can be changed. */
  'read-only': Record<string, never>
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

/** The value of a promise, or null if it fails with this code. */
export async function nullOn<T>(code: ErrorCode, result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (isAppError(error, code)) return null
    throw error
  }
}

/** What `work` returns, or `fallback` if it throws. */
export function orElse<T, F>(fallback: F, work: () => T): T | F {
  try {
    return work()
  } catch {
    return fallback
  }
}

/** The code of a failed system call, such as `ENOENT`, or of another foreign error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && !isAppError(error) && 'code' in error ? String(error.code) : ''
}

/** What zod found wrong, one line each: `path: message`. */
export function issueTexts({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
}
