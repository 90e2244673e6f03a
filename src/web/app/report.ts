import { isAppError } from '../../shared/errors.ts'

/** Our own failures are shown to the person; anything else is a mistake in the program, for the console. */
export function reportUnexpected(error: unknown): void {
  if (!isAppError(error)) console.error(error)
}
