import { ConfigError } from '../config/config-error.ts'

/** The list without the entry at the first position, or without the entries from the first to the second. Throws `ConfigError`. */
export function removePositions<T>(list: readonly T[], [first = '', last = first]: readonly string[]): T[] {
  const [from, to] = [positionIn(list, first), positionIn(list, last)]
  if (from > to) throw new ConfigError(`${first} comes after ${last}`)
  return list.filter((_, at) => at < from || at > to)
}

function positionIn(list: readonly unknown[], text: string): number {
  const at = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (at < list.length) return at
  const range = list.length === 0 ? 'the list is empty' : `it goes from 0 to ${list.length - 1}`
  throw new ConfigError(`there is no entry ${JSON.stringify(text)}: ${range}`)
}
