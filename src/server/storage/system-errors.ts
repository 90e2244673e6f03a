import { AppError, codeOf } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** Retry time without free descriptors: running requests release theirs. */
const CROWDED_SECONDS = 5
/** Retry time for a disk whose program or machine does not respond. */
const AWAY_SECONDS = 10

/** Runs `operation` and converts its system errors to application errors. */
export async function withAppErrors<T>(path: FilePath, operation: () => T | Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw toAppError(error, path)
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const MISSING = words('ENOENT ENOTDIR ELOOP ENXIO')
const TAKEN = words('EEXIST EISDIR')
const BUSY = words('ENOTEMPTY EBUSY ETXTBSY')
const FORBIDDEN = words('EACCES EPERM EROFS')
const FULL = words('ENOSPC EDQUOT EFBIG')
const CROWDED = words('EMFILE ENFILE')
const AWAY = words('ENOTCONN ESTALE ETIMEDOUT EHOSTDOWN EHOSTUNREACH')
const NO_NAME = words('ENAMETOOLONG EILSEQ EINVAL')

function toAppError(error: unknown, path: FilePath): unknown {
  const code = codeOf(error)
  const options = { cause: error }
  if (MISSING.has(code)) return new AppError('not-found', {}, options)
  if (TAKEN.has(code)) return new AppError('already-exists', { path }, options)
  if (BUSY.has(code)) return new AppError('busy', {}, options)
  if (FORBIDDEN.has(code)) return new AppError('forbidden', { right: 'file-system' }, options)
  if (FULL.has(code)) return new AppError('storage-full', {}, options)
  if (CROWDED.has(code)) return new AppError('too-many-requests', { retryAfterSeconds: CROWDED_SECONDS }, options)
  if (AWAY.has(code)) return new AppError('storage-busy', { retryAfterSeconds: AWAY_SECONDS }, options)
  if (NO_NAME.has(code)) return new AppError('invalid-input', { issues: ['path: the disk refuses this name'] }, options)
  return error
}
