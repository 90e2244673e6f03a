import { isAppError } from '../../shared/errors.ts'

/** Application errors are shown to the user; anything else is a bug and is logged. */
export function reportUnexpected(error: unknown): void {
  if (!isAppError(error)) console.error(error)
}
