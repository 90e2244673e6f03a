import Papa from 'papaparse'
import type { NewPerson } from '../../../../shared/contract/people.ts'

/** Most people of one list. */
export const MOST_PEOPLE = 20_000

type Field = 'username' | 'address' | 'scope' | 'groups' | 'quota' | 'files'

/** Titles of columns, in lower case, as programs and people write them. */
const TITLES: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['username', 'username'],
  ['user', 'username'],
  ['user name', 'username'],
  ['name', 'username'],
  ['login', 'username'],
  ['email', 'address'],
  ['e-mail', 'address'],
  ['mail', 'address'],
  ['email address', 'address'],
  ['address', 'address'],
  ['folder', 'scope'],
  ['scope', 'scope'],
  ['home', 'scope'],
  ['groups', 'groups'],
  ['group', 'groups'],
  ['quota', 'quota'],
  ['space', 'quota'],
  ['gigabytes', 'quota'],
  ['files', 'files'],
  ['file quota', 'files'],
])
/** Of a list without titles. */
const ORDER: readonly Field[] = ['username', 'address', 'scope', 'groups', 'quota', 'files']

/** A person of a list. */
export interface ListedPerson {
  /** Of the list, from 1. */
  readonly line: number
  readonly person: Required<NewPerson>
}

/**
 * Reads a list of people: CSV (RFC 4180) with commas, semicolons or tabs. The first row has the titles of the columns, in any order; without a known
 * title the columns are name, mail address, folder, groups, gigabytes and number of files. Several groups are separated by semicolons, or by bars.
 * @returns the people, without empty rows, at most `MOST_PEOPLE` and one
 */
export function readPeopleList(text: string): ListedPerson[] {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimitersToGuess: [',', ';', '\t'], preview: MOST_PEOPLE + 2 })
  const titles = (data[0] ?? []).map((title) => TITLES.get(title.trim().toLowerCase()))
  const hasTitles = titles.includes('username')
  const fields = hasTitles ? titles : ORDER
  return data.flatMap((row, at) => {
    if ((at === 0 && hasTitles) || row.every((cell) => cell.trim() === '')) return []
    const cell = (field: Field) => row[fields.indexOf(field)]?.trim() ?? ''
    const groups = cell('groups')
      .split(/[;|]/)
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const [username, address, scope] = [cell('username'), cell('address'), cell('scope')]
    return [{ line: at + 1, person: { username, address, scope, groups, quota: cell('quota'), files: cell('files') } }]
  })
}

/** A list of names and links as CSV. No cell can be taken for a formula by a spreadsheet. */
export function linksFile(rows: readonly { username: string; link: string }[]): string {
  return Papa.unparse(
    rows.map(({ username, link }) => [username, link]),
    { escapeFormulae: true, newline: '\r\n' },
  )
}
