import { AppError, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** When there may be descriptors again: requests that hold some come and go. */
const CROWDED_SECONDS = 5
/** When a disk whose program or machine is gone may be back. */
const AWAY_SECONDS = 10

/** The code of a failed system call, such as `ENOENT`; empty for anything else. */
export function systemCode(error: unknown): string {
  return error instanceof Error && !isAppError(error) && 'code' in error ? String(error.code) : ''
}

/** Does `deed`; its system errors come out as ours, everything else as it is. */
export async function translated<T>(path: FilePath, deed: () => T | Promise<T>): Promise<T> {
  try {
    return await deed()
  } catch (error) {
    throw ours(error, path)
  }
}

function ours(error: unknown, path: FilePath): unknown {
  const options = { cause: error }
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENXIO':
      return new AppError('not-found', {}, options)
    case 'EEXIST':
    case 'EISDIR':
      return new AppError('already-exists', { path }, options)
    case 'ENOTEMPTY':
    case 'EBUSY':
    case 'ETXTBSY':
      return new AppError('busy', {}, options)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('forbidden', { right: 'file-system' }, options)
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new AppError('storage-full', {}, options)
    case 'EMFILE':
    case 'ENFILE':
      return new AppError('too-many-requests', { retryAfterSeconds: CROWDED_SECONDS }, options)
    case 'ENOTCONN':
    case 'ESTALE':
    case 'ETIMEDOUT':
    case 'EHOSTDOWN':
    case 'EHOSTUNREACH':
      return new AppError('storage-busy', { retryAfterSeconds: AWAY_SECONDS }, options)
    case 'ENAMETOOLONG':
    case 'EILSEQ':
    case 'EINVAL':
      return new AppError('invalid-input', { issues: ['path: the disk refuses this name'] }, options)
    default:
      return error
  }
}
