import type { Arrival } from '../providers/account-entry.ts'
import { usernameProblem } from '../users/username.ts'
import { issuerOf, directorySource, type StoredDirectory } from './directory.ts'
import { canonicalDn } from './ldap-text.ts'
import type { DirectoryPerson } from './person.ts'

/** What a directory says of a person, for the account that they sign in to. Groups are compared by distinguished names. */
export function arrivalOf(directory: StoredDirectory, person: DirectoryPerson, groups: ReadonlySet<string>): Arrival {
  const isIn = (names: readonly string[]): boolean => names.some((name) => groups.has(canonicalDn(name) ?? ''))
  return {
    issuer: issuerOf(directory.id),
    subject: person.id,
    provider: directory.id,
    source: directorySource(directory.id),
    isAllowed: directory.allow.length === 0 || isIn(directory.allow),
    username: person.username === null || usernameProblem(person.username) !== null ? null : person.username,
    create: directory.create,
    admin: isIn(directory.admin),
    groups: new Set(directory.groups.filter(({ values }) => isIn(values)).map(({ group }) => group)),
  }
}

/** Somebody whom the directory does not let in any more. */
export function nobodyOf(directory: StoredDirectory, subject: string): Arrival {
  return {
    issuer: issuerOf(directory.id),
    subject,
    provider: directory.id,
    source: directorySource(directory.id),
    isAllowed: false,
    username: null,
    create: false,
    admin: false,
    groups: new Set(),
  }
}
