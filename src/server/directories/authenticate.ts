import type { DirectoryStep } from '../../shared/contract/directories.ts'
import { converse, type Conversation } from './conversation.ts'
import type { StoredDirectory } from './directory.ts'
import { groupsOf } from './groups-of.ts'
import { canonicalDn, dnValue, loginProblem } from './ldap-text.ts'
import { type DirectoryPerson, findById, findByLogin } from './person.ts'
import { DirectoryProblem } from './problem.ts'
import { LOGIN } from './user-filter.ts'

/** Follows what is done, for an administrator who tries a directory. */
export interface Trace {
  /** From now on, this is done. */
  begin(step: DirectoryStep['step']): void
  /** It went well. */
  done(step: DirectoryStep['step'], detail: string): void
}

const NO_TRACE: Trace = { begin: () => undefined, done: () => undefined }

export interface Asked {
  readonly now: Date
  readonly trace?: Trace
  /** Called when it is known who that would be, before the password is tried; may throw. */
  readonly onFound?: (person: DirectoryPerson) => Promise<void>
}

/** Somebody who gave their password, with their groups by canonical names. */
export interface Authenticated {
  readonly person: DirectoryPerson
  readonly groups: ReadonlySet<string>
}

/**
 * Who has this name and this password in a directory. Throws `DirectoryProblem`: `refused` if nobody, or somebody who may not sign in; nothing is sent
 * for a name or password that cannot be one.
 */
export async function authenticate(
  directory: StoredDirectory,
  given: { login: string; password: string },
  asked: Asked,
): Promise<Authenticated> {
  const { login, password } = given
  const { now, trace = NO_TRACE, onFound = async () => undefined } = asked
  const problem = loginProblem(login)
  if (problem !== null) throw new DirectoryProblem('refused', `the name cannot be one: ${problem}`)
  // RFC 4513 §5.1.2: an empty one succeeds at many directories, for every name.
  if (password === '' || password.includes('\0'))
    throw new DirectoryProblem('refused', 'the password is empty, or has a character that ends it')
  trace.begin('connect')
  return converse(directory, async (conversation) => {
    for (const { step, detail } of conversation.steps) trace.done(step, detail)
    trace.begin('bind')
    const bound = await bindToSearch(conversation, directory, { login, password })
    trace.done('bind', bound === '' ? 'as nobody' : `as ${bound}`)
    trace.begin('search')
    const person = await findByLogin(conversation, directory, login, now)
    trace.done('search', directory.baseDn)
    trace.begin('person')
    if (person === null) throw new DirectoryProblem('refused', 'the filter finds nobody of that name')
    trace.done('person', `${person.dn}, ${directory.idAttribute} ${person.id}`)
    await onFound(person)
    trace.begin('password')
    // The entry that was bound by the pattern may be another one than the one that was found.
    if (directory.bindPattern === '' || !isSameDn(bound, person.dn)) await provePassword(directory, { dn: person.dn, password })
    if (person.disabled !== null) throw new DirectoryProblem('refused', person.disabled)
    trace.done('password', 'the directory accepts the password')
    return { person, groups: await readGroups(conversation, directory, person, trace) }
  })
}

/** A name only, for a trial: who that is, and with which groups. Throws `DirectoryProblem`. */
export function lookUp(directory: StoredDirectory, login: string | null, { now, trace = NO_TRACE }: Asked): Promise<Authenticated | null> {
  trace.begin('connect')
  return converse(directory, async (conversation) => {
    for (const { step, detail } of conversation.steps) trace.done(step, detail)
    trace.begin('bind')
    await bindAsSearcher(conversation, directory)
    trace.done('bind', directory.bindDn === '' ? 'as nobody' : `as ${directory.bindDn}`)
    trace.begin('search')
    const [base] = await conversation.search({
      base: directory.baseDn,
      scope: 'base',
      filter: '(objectClass=*)',
      attributes: ['1.1'],
      most: 1,
    })
    if (base === undefined) throw new DirectoryProblem('wrong', `${directory.baseDn} cannot be read`)
    if (login === null) {
      trace.done('search', `${directory.baseDn} can be read`)
      return null
    }
    const person = await findByLogin(conversation, directory, login, now)
    trace.done('search', directory.baseDn)
    trace.begin('person')
    if (person === null) throw new DirectoryProblem('refused', 'the filter finds nobody of that name')
    if (person.disabled !== null) throw new DirectoryProblem('refused', person.disabled)
    trace.done('person', `${person.dn}, ${directory.idAttribute} ${person.id}`)
    return { person, groups: await readGroups(conversation, directory, person, trace) }
  })
}

/** Whether the password is that of the entry with this id. Throws `DirectoryProblem`, but not `refused`. */
export async function hasPassword(
  directory: StoredDirectory,
  { id, login, password }: { id: string; login: string; password: string },
  { now }: { now: Date },
): Promise<boolean> {
  if (password === '' || password.includes('\0')) return false
  try {
    if (directory.bindPattern !== '') return (await authenticate(directory, { login, password }, { now })).person.id === id
    return await converse(directory, async (conversation) => {
      await bindAsSearcher(conversation, directory)
      const person = await findById(conversation, directory, id, now)
      if (person === null || person.disabled !== null) return false
      await provePassword(directory, { dn: person.dn, password })
      return true
    })
  } catch (error) {
    if (error instanceof DirectoryProblem && error.kind === 'refused') return false
    throw error
  }
}

/** Whether the directory answers. Throws `DirectoryProblem`. */
export function reach(directory: StoredDirectory): Promise<void> {
  return converse(directory, (conversation) => (directory.bindPattern === '' ? bindAsSearcher(conversation, directory) : Promise.resolve()))
}

/** As the account that searches; a wrong password is not the one of the person. */
export async function bindAsSearcher(conversation: Conversation, { bindDn, bindPassword }: StoredDirectory): Promise<void> {
  if (bindDn === '') return
  try {
    await conversation.bind(bindDn, bindPassword)
  } catch (error) {
    if (error instanceof DirectoryProblem && error.kind === 'refused')
      throw new DirectoryProblem('wrong', `the account that searches is refused: ${error.message}`, { cause: error })
    throw error
  }
}

/** @returns who is bound now */
async function bindToSearch(
  conversation: Conversation,
  directory: StoredDirectory,
  { login, password }: { login: string; password: string },
) {
  const { bindPattern, bindDn } = directory
  if (bindPattern === '') {
    await bindAsSearcher(conversation, directory)
    return bindDn
  }
  // A distinguished name, or what Active Directory takes instead: a name at a domain, in which nothing is escaped.
  const name = bindPattern.replaceAll(LOGIN, () => (canonicalDn(bindPattern) === null ? login : dnValue(login)))
  await conversation.bind(name, password)
  return name
}

/** By a connection of its own, so that the one that searches stays who it is. */
function provePassword(directory: StoredDirectory, { dn, password }: { dn: string; password: string }): Promise<void> {
  return converse(directory, (conversation) => conversation.bind(dn, password))
}

async function readGroups(conversation: Conversation, directory: StoredDirectory, person: DirectoryPerson, trace: Trace) {
  trace.begin('groups')
  const groups = await groupsOf(conversation, directory, person)
  trace.done('groups', groups.size === 0 ? 'none' : [...groups].toSorted().join('; '))
  return groups
}

function isSameDn(one: string, other: string): boolean {
  const canonical = canonicalDn(one)
  return canonical !== null && canonical === canonicalDn(other)
}
