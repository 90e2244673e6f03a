import { AppError } from '../../../shared/errors.ts'

interface Answer {
  readonly status: number
  /** Such as `NoSuchKey`; empty for answers without a body. */
  readonly code: string
  /** What the service asks to wait. */
  readonly waitMs: number
}

/** An answer of the service that is no success. */
export class S3Failure extends Error {
  readonly status: number
  readonly code: string
  readonly waitMs: number
  /** Whether an attempt before may have done the work. */
  isRepeated = false

  constructor({ status, code, waitMs }: Answer, method: string) {
    // Neither addresses nor bodies: some services repeat what was signed.
    super(`S3: ${method} was answered by ${status} ${code}`)
    this.name = 'S3Failure'
    this.status = status
    this.code = code
    this.waitMs = waitMs
  }
}

/** The service did not answer: no connection, or too slow. */
export class S3Silence extends Error {
  readonly waitMs = 0
  isRepeated = false

  constructor(method: string, cause: unknown) {
    super(`S3: ${method} was not answered`, { cause })
    this.name = 'S3Silence'
  }
}

/** Seconds after which a client may try again. */
const AWAY_SECONDS = 10

type Mapped = 'storage-busy' | 'forbidden' | 'already-exists' | 'invalid-input' | 'not-found' | 'busy' | 'storage-full'

/** Codes that say more than their status. */
const BY_CODE: Readonly<Record<string, Mapped>> = {
  NoSuchBucket: 'storage-busy',
  NoSuchUpload: 'not-found',
  PermanentRedirect: 'storage-busy',
  AuthorizationHeaderMalformed: 'storage-busy',
  RequestTimeTooSkewed: 'storage-busy',
  InvalidAccessKeyId: 'storage-busy',
  SignatureDoesNotMatch: 'storage-busy',
  ExpiredToken: 'storage-busy',
  QuotaExceeded: 'storage-full',
  XMinioStorageFull: 'storage-full',
  XMinioAdminBucketQuotaExceeded: 'storage-full',
  InsufficientStorage: 'storage-full',
  KeyTooLongError: 'invalid-input',
  InvalidURI: 'invalid-input',
  XMinioInvalidObjectName: 'invalid-input',
}
const BY_STATUS: Readonly<Record<number, Mapped>> = {
  403: 'forbidden',
  404: 'not-found',
  409: 'busy',
  412: 'already-exists',
  429: 'storage-busy',
  507: 'storage-full',
}

/**
 * What the service said as an error of the application. A bucket that is not there, and credentials that do not count, are a disk that is away:
 * nothing about its files is known.
 */
export function toAppError(error: unknown, path: string): unknown {
  const options = { cause: error }
  if (error instanceof S3Silence) return new AppError('storage-busy', { retryAfterSeconds: AWAY_SECONDS }, options)
  if (!(error instanceof S3Failure)) return error
  const { status, code } = error
  const mapped = BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 || (status >= 300 && status < 400) ? 'storage-busy' : null)
  if (mapped === 'storage-busy') return new AppError(mapped, { retryAfterSeconds: AWAY_SECONDS }, options)
  if (mapped === 'forbidden') return new AppError(mapped, { right: 'file-system' }, options)
  if (mapped === 'already-exists') return new AppError(mapped, { path }, options)
  if (mapped === 'invalid-input') return new AppError(mapped, { issues: ['path: the object store refuses this name'] }, options)
  return mapped === null ? error : new AppError(mapped, {}, options)
}

/** Runs `operation` and converts what the service said to errors of the application. */
export async function withS3Errors<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw toAppError(error, path)
  }
}

export function isFailure(error: unknown, ...statuses: number[]): error is S3Failure {
  return error instanceof S3Failure && statuses.includes(error.status)
}
