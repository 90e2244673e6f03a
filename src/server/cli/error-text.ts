import type { AppError } from '../../shared/errors.ts'
import { isAppError } from '../../shared/errors.ts'

/** An error in one line for the terminal. */
export function errorText(error: AppError): string {
  if (isAppError(error, 'invalid-input')) return error.detail.issues.map(plain).join('; ')
  if (isAppError(error, 'name-taken')) return `there is an account ${JSON.stringify(error.detail.username)} already, or one with its folder`
  if (isAppError(error, 'forbidden') && error.detail.right === 'admin') return 'no administrator would be left; nothing was changed'
  if (isAppError(error, 'not-found')) return 'it is gone'
  if (isAppError(error, 'busy')) return 'somebody else changes it all the time; nothing was changed, try again'
  if (isAppError(error, 'storage-full')) return 'the disk is full; nothing was changed'
  return `failed: ${error.code}`
}

/** `data.password: too-short 12` is meant for programs that translate it. */
function plain(issue: string): string {
  return issue
    .replace(/^data\./, '')
    .replace(/: too-short (\d+)$/, ': shorter than $1 bytes')
    .replace(/: too-long (\d+)$/, ': longer than $1 characters')
    .replace(/: too-common$/, ': one of the commonest of all')
}
