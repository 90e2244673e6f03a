import type { Conversation, Found } from './conversation.ts'
import { ldapts } from './conversation.ts'
import type { StoredDirectory } from './directory.ts'
import { DirectoryProblem } from './problem.ts'
import { filterFor, filterForAll } from './user-filter.ts'

/** Somebody in a directory. */
export interface DirectoryPerson {
  readonly dn: string
  /** Stays the same for as long as the entry exists; bytes as in hexadecimal, text as it is, in lower case. */
  readonly id: string
  /** For a new account; null if the attribute has no single value. */
  readonly username: string | null
  readonly mail: string | null
  /** Why the directory lets nobody in by this entry, for administrators; null if it does. */
  readonly disabled: string | null
  /** As far as the directory shows them. */
  readonly memberOf: readonly string[]
}

/** Bytes, of these lengths. */
const BINARY: Readonly<Record<string, number>> = { objectGUID: 16, GUID: 16 }
/** Of 389 Directory Server and FreeIPA, Active Directory Lightweight Directory Services, eDirectory, and OpenDJ with its descendants: disabled if `TRUE`. */
const DISABLED_IF_TRUE = ['nsAccountLock', 'msDS-UserAccountDisabled', 'loginDisabled', 'ds-pwp-account-disabled'] as const
const STATES = ['userAccountControl', 'accountExpires', 'pwdAccountLockedTime', ...DISABLED_IF_TRUE] as const
/** Of `accountExpires`: 100 ns since 1601. */
const TICKS_PER_MS = 10_000n
const FROM_1601_MS = 11_644_473_600_000n
const NEVER = 0x7fff_ffff_ffff_ffffn

/** Searches for whom a typed name means. Throws `DirectoryProblem`, also if it means several. */
export async function findByLogin(conversation: Conversation, directory: StoredDirectory, login: string, now: Date) {
  const found = await ask(conversation, directory, { filter: filterFor(directory.userFilter, login), base: directory.baseDn, scope: 'sub' })
  if (found.length > 1)
    throw new DirectoryProblem('wrong', `the filter finds several entries for one name: ${found.map(({ dn }) => dn).join('; ')}`)
  return found[0] === undefined ? null : personFrom(found[0], directory, now)
}

/** The entry with this id, if it is still one that could sign in. */
export async function findById(
  conversation: Conversation,
  directory: StoredDirectory,
  id: string,
  now: Date,
): Promise<DirectoryPerson | null> {
  const { AndFilter, EqualityFilter, FilterParser } = await ldapts()
  const value = directory.idAttribute in BINARY ? Buffer.from(id, 'hex') : id
  const filters = [
    new EqualityFilter({ attribute: directory.idAttribute, value }),
    FilterParser.parseString(filterForAll(directory.userFilter)),
  ]
  const found = await ask(conversation, directory, { filter: new AndFilter({ filters }), base: directory.baseDn, scope: 'sub' })
  if (found.length > 1) throw new DirectoryProblem('wrong', `${directory.idAttribute} is the same for several entries`)
  return found[0] === undefined ? null : personFrom(found[0], directory, now)
}

/** Whether what is searched can be read at all: nobody must be taken for gone because it cannot. Throws `DirectoryProblem`. */
export async function checkBase(conversation: Conversation, { baseDn }: StoredDirectory): Promise<void> {
  const asked = { base: baseDn, scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'], most: 1 } as const
  if ((await conversation.search(asked)).length !== 1) throw new DirectoryProblem('wrong', `${baseDn} cannot be read`)
}

function ask(
  conversation: Conversation,
  { idAttribute, usernameAttribute, mailAttribute, groupWay }: StoredDirectory,
  how: Pick<Parameters<Conversation['search']>[0], 'base' | 'scope' | 'filter'>,
): Promise<Found[]> {
  const attributes = [idAttribute, usernameAttribute, mailAttribute, ...STATES, ...(groupWay === 'memberOf' ? ['memberOf'] : [])]
  const binary = idAttribute in BINARY ? [idAttribute, idAttribute.toLowerCase()] : []
  return conversation.search({ ...how, attributes: [...new Set(attributes.filter((name) => name !== ''))], binary, most: 1 })
}

function personFrom(found: Found, directory: StoredDirectory, now: Date): DirectoryPerson {
  const single = (attribute: string): string | null => {
    const [value, another] = attribute === '' ? [] : found.texts(attribute)
    return value === undefined || another !== undefined ? null : value
  }
  // Anybody could be bound as nobody (RFC 4513 §5.1.1).
  if (found.dn === '') throw new DirectoryProblem('wrong', 'an entry has no name')
  if (found.isPartial('memberOf')) throw new DirectoryProblem('wrong', 'memberOf has too many values; find groups by “chain” or “member”')
  return {
    dn: found.dn,
    id: idOf(found, directory),
    username: single(directory.usernameAttribute),
    mail: found.texts(directory.mailAttribute)[0] ?? null,
    disabled: disabledBy(found, now),
    memberOf: found.texts('memberOf'),
  }
}

function idOf(found: Found, { idAttribute }: StoredDirectory): string {
  const length = BINARY[idAttribute]
  const bytes = found.bytes(idAttribute)
  if (bytes === null || bytes.length === 0) throw new DirectoryProblem('wrong', `${found.dn} has no ${idAttribute}, or may not be read`)
  if (length === undefined) return bytes.toString().toLowerCase()
  if (bytes.length !== length) throw new DirectoryProblem('wrong', `${idAttribute} has ${bytes.length} bytes instead of ${length}`)
  return bytes.toString('hex')
}

/** What the entry says against a sign-in: of Active Directory, of other directories, and OpenLDAP’s password policy. */
export function disabledBy(found: Pick<Found, 'texts'>, now: Date): string | null {
  const first = (name: (typeof STATES)[number]): string => found.texts(name)[0] ?? ''
  // ADS_UF_ACCOUNTDISABLE
  if ((Number(first('userAccountControl')) & 2) !== 0) return 'the account is disabled (userAccountControl)'
  const ticks = /^\d{1,19}$/.test(first('accountExpires')) ? BigInt(first('accountExpires')) : 0n
  if (ticks !== 0n && ticks < NEVER && Number(ticks / TICKS_PER_MS - FROM_1601_MS) <= now.getTime())
    return 'the account has expired (accountExpires)'
  const flag = DISABLED_IF_TRUE.find((name) => first(name).toLowerCase() === 'true')
  if (flag !== undefined) return `the account is disabled (${flag})`
  // Locked by an administrator, not for a while by wrong guesses (draft-behera-ldap-password-policy §5.3.3).
  return first('pwdAccountLockedTime') === '000001010000Z' ? 'the account is locked (pwdAccountLockedTime)' : null
}

/** What Active Directory says in a failed bind, in words for administrators; null if it says nothing. */
export function bindHint(message: string): string | null {
  const code = /\bdata ([0-9a-f]{3})\b/i.exec(message)?.[1]?.toLowerCase()
  return code === undefined ? null : (AD_CODES[code] ?? null)
}

const AD_CODES: Readonly<Record<string, string>> = {
  '525': 'Active Directory does not know the name',
  '52e': 'the password is wrong',
  '530': 'the account may not sign in at this time',
  '531': 'the account may not sign in from this server',
  '532': 'the password has expired',
  '533': 'the account is disabled',
  '701': 'the account has expired',
  '773': 'the password must be changed first',
  '775': 'the account is locked after wrong passwords',
}
