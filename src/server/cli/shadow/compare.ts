import { orElse } from '../../../shared/errors.ts'
import { isRecord } from '../records.ts'

/** An answer, as far as it is compared. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Whether the body is JSON: one value, or one a line. */
  readonly isJson: boolean
  /** Of JSON, the values; otherwise a hash of the bytes. Null if bodies are not compared. */
  readonly body: unknown
}

/** At most so many differences of one answer are told. */
const MOST = 5
const HEADERS = ['content-range', 'accept-ranges', 'location', 'last-modified'] as const
/** Values that differ each time. */
const RANDOM = new Set(['token'])
/** What identifies an element of a list; lists are compared in any order, because clients sort them. */
const KEYS = ['name', 'path', 'hash', 'id'] as const

/** What a client of the old server would notice. Fields and headers that only the new answer has are no difference. */
export function differencesOf(old: Answer, ours: Answer): string[] {
  if (old.status !== ours.status) return [`status ${old.status}, here ${ours.status}`]
  // Texts of errors are for people.
  if (old.status >= 400) return []
  const headers = HEADERS.flatMap((name) => changed(name, old.headers.get(name), ours.headers.get(name)))
  const types = changed('content-type', typeOf(old), typeOf(ours))
  const names = changed('content-disposition', fileNameOf(old), fileNameOf(ours))
  const bodies = old.body === null || ours.body === null ? [] : valueDifferences(old.body, ours.body, '')
  return [...types, ...names, ...headers, ...bodies].slice(0, MOST)
}

function changed(what: string, old: string | null, ours: string | null): string[] {
  return old === null || old === ours ? [] : [`${what} ${JSON.stringify(old)}, here ${ours === null ? 'none' : JSON.stringify(ours)}`]
}

/** One list of values is sent in either form. */
function typeOf({ headers, isJson }: Answer): string | null {
  return isJson ? 'application/json' : (headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null)
}

function fileNameOf({ headers }: Answer): string | null {
  const header = headers.get('content-disposition')
  if (header === null) return null
  const extended = /filename\*=utf-8''([^;]+)/i.exec(header)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(header)?.[1] ?? ''
  return `${header.split(';')[0]?.trim().toLowerCase()}; ${extended === undefined ? plain : decoded(extended)}`
}

function decoded(text: string): string {
  return orElse(text, () => decodeURIComponent(text))
}

function valueDifferences(old: unknown, ours: unknown, at: string): string[] {
  if (Array.isArray(old) && Array.isArray(ours)) return listDifferences(old, ours, at)
  if (isRecord(old) && isRecord(ours))
    return Object.entries(old).flatMap(([name, value]) => {
      if (RANDOM.has(name) || (name === 'size' && old.isDir === true)) return []
      return Object.hasOwn(ours, name) ? valueDifferences(value, ours[name], `${at}.${name}`) : [`${at}.${name}: missing here`]
    })
  if (isSame(old, ours)) return []
  return [`${at === '' ? 'body' : at}: ${short(old)}, here ${short(ours)}`]
}

function listDifferences(old: readonly unknown[], ours: readonly unknown[], at: string): string[] {
  const key = KEYS.find((name) => [...old, ...ours].every((one) => isRecord(one) && one[name] !== undefined && one[name] !== ''))
  if (key === undefined) {
    const lengths = old.length === ours.length ? [] : [`${at}: ${old.length} values, here ${ours.length}`]
    return lengths.length > 0 ? lengths : old.flatMap((one, index) => valueDifferences(one, ours[index], `${at}[${index}]`))
  }
  const byKey = (list: readonly unknown[]): Map<unknown, unknown> => new Map(list.map((one) => [isRecord(one) ? one[key] : one, one]))
  const [before, now] = [byKey(old), byKey(ours)]
  return [
    ...[...before].flatMap(([name, one]) =>
      now.has(name) ? valueDifferences(one, now.get(name), `${at}[${short(name)}]`) : [`${at}: ${short(name)} is missing here`],
    ),
    ...[...now.keys()].flatMap((name) => (before.has(name) ? [] : [`${at}: ${short(name)} is here only`])),
  ]
}

/** Times are written with other fractions and zones. */
function isSame(old: unknown, ours: unknown): boolean {
  if (old === ours) return true
  if (typeof old !== 'string' || typeof ours !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(old)) return false
  return Math.trunc(Date.parse(old) / 1000) === Math.trunc(Date.parse(ours) / 1000)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
