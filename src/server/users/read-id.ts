import { fail } from '../../shared/errors.ts'

/** The largest id that a database column holds. */
const MOST_ID = 2 ** 31 - 1

/** The id of a user in an address. Fails with `not-found` for what cannot be one. */
export function readId(text: string): number {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST_ID ? Number(text) : fail('not-found', {})
}
