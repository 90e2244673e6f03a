import { DirectoryFields } from '../../shared/contract/directories.ts'
import { issueTexts } from '../../shared/errors.ts'
import { PROVIDER_ID } from '../../shared/provider-id.ts'
import { ConfigError } from '../config/config-error.ts'
import { removeDirectory } from '../directories/changes.ts'
import { issuesOf, isElsewhere, type StoredDirectory } from '../directories/directory.ts'
import { createDirectoryStore } from '../directories/directory-store.ts'
import { createTrial } from '../directories/trial.ts'
import { createArrivalPreview } from '../providers/account-entry.ts'
import { createAccountLinks } from '../providers/account-links.ts'
import { createProviderStore } from '../providers/provider-store.ts'
import type { AdminContext } from './admin-context.ts'
import { defineCommand, type Call, type Command, type Flag, type FlagValues } from './command.ts'
import { disconnectIn, firstLineOf } from './providers-commands.ts'
import { json, table, visible, yesNo } from './print.ts'

const clock = (): Date => new Date()

const FLAGS: readonly Flag[] = [
  { name: 'name', kind: 'text', about: 'what administrators call it' },
  { name: 'urls', kind: 'list', about: 'ldap:// or ldaps:// addresses, with commas, in the order in which they are tried' },
  { name: 'startTls', kind: 'switch', about: 'TLS on an ldap:// address' },
  { name: 'plaintext', kind: 'switch', about: 'passwords without TLS, to a directory on this machine' },
  { name: 'caFile', kind: 'text', about: 'a file with certificates that are trusted, instead of those of the system; empty for those' },
  { name: 'bindDn', kind: 'text', about: 'the account that searches; empty for nobody' },
  { name: 'bindPasswordFile', kind: 'text', about: 'a file whose first line is its password; empty for none' },
  { name: 'bindPattern', kind: 'text', about: 'the name with which people are bound without a search before, with {login}' },
  { name: 'baseDn', kind: 'text', about: 'below which people are searched' },
  { name: 'userFilter', kind: 'text', about: 'how they are found, with {login}' },
  { name: 'idAttribute', kind: 'text', about: 'what identifies them: entryUUID, objectGUID, nsUniqueId, ipaUniqueID or GUID' },
  { name: 'usernameAttribute', kind: 'text', about: 'from which attribute new accounts get their names' },
  { name: 'mailAttribute', kind: 'text', about: 'from which they get their mail addresses; empty for none' },
  { name: 'groupWay', kind: 'text', about: 'how groups are found: member, memberOf, chain (Active Directory) or none' },
  { name: 'groupBaseDn', kind: 'text', about: 'below which groups are searched; empty for the base of people' },
  { name: 'groupFilter', kind: 'text', about: 'which entries are groups' },
  { name: 'memberAttribute', kind: 'text', about: 'which attribute of a group names its members' },
  { name: 'nested', kind: 'switch', about: 'follow groups in groups' },
  { name: 'allow', kind: 'text', about: 'the names of groups that may sign in, with semicolons; without, everybody' },
  { name: 'admin', kind: 'text', about: 'the names of groups of administrators, with semicolons; without, nobody' },
  { name: 'groups', kind: 'text', about: 'name=>group, with semicolons: whose members are members of which group here' },
  { name: 'create', kind: 'switch', about: 'create accounts for new people' },
  { name: 'checkMinutes', kind: 'count', about: 'how often accounts are compared with it; 0 for never' },
  { name: 'enabled', kind: 'switch', about: 'let people sign in' },
]
const FILES = ['caFile', 'bindPasswordFile']
const LISTS = ['allow', 'admin']

export const DIRECTORIES_COMMANDS: readonly Command[] = [
  defineCommand('directories ls', 'the LDAP directories whose people sign in with their password there', list),
  defineCommand('directories set <id>', 'add a directory, or change one; what is not given stays', set, { flags: FLAGS }),
  defineCommand('directories rm <id>', 'remove a directory with its connections; accounts stay', remove),
  defineCommand('directories try <id> [name]', 'say step by step how somebody would sign in, and why not', attempt, {
    flags: [{ name: 'passwordFile', kind: 'text', about: 'a file whose first line is their password; without, the password is not tried' }],
  }),
]

const found = async (admin: AdminContext, id: string) => {
  const directory = await createDirectoryStore(admin.db, clock, admin.bus).find(id)
  if (directory === null) throw new ConfigError(`there is no directory ${JSON.stringify(id)}`)
  return directory
}

async function list(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const directories = await createDirectoryStore(admin.db, clock, admin.bus).all()
  if (call.json)
    return call.terminal.out(json(directories.map(({ bindPassword, ...rest }) => ({ ...rest, hasPassword: bindPassword !== '' }))))
  const rows = directories.map(({ id, name, urls, baseDn, create, enabled }) =>
    [id, name, urls.join(' '), baseDn].map(visible).concat(yesNo(create), yesNo(enabled)),
  )
  call.terminal.out(table([['ID', 'Name', 'Addresses', 'Base', 'Creates', 'On'], ...rows]))
}

async function set(call: Call): Promise<void> {
  const { args, flags, terminal } = call
  const [id = ''] = args
  if (!PROVIDER_ID.test(id) || id.length > 40) throw new ConfigError('the id has lower-case letters, digits and dashes')
  const admin = await call.openAdmin()
  const store = createDirectoryStore(admin.db, clock, admin.bus)
  const before = await store.find(id)
  if (before === null && (await createProviderStore(admin.db, clock, admin.bus).ways()).some((way) => way.id === id))
    throw new ConfigError(`there is a provider ${JSON.stringify(id)}`)
  const directory = await changed(before, id, flags, (name) => admin.groups.named(name))
  const links = await createAccountLinks(admin.db, clock).ofProvider(id)
  if (before !== null && before.idAttribute !== directory.idAttribute && links.length > 0)
    throw new ConfigError('idAttribute: accounts are connected by it; disconnect them first')
  await store.put(directory)
  admin.note({
    kind: 'providers-changed',
    subject: directory.name,
    details: [{ place: 'urls', before: before?.urls.join(' ') ?? null, after: directory.urls.join(' ') }],
  })
  terminal.out(`${before === null ? 'added' : 'changed'} ${visible(directory.name)}; satchel directories try ${id} says whether it works`)
}

type FindGroup = (name: string) => Promise<{ readonly id: number } | null>

async function changed(before: StoredDirectory | null, id: string, flags: FlagValues, findGroup: FindGroup): Promise<StoredDirectory> {
  const { bindPassword = '', ...kept } = before ?? {}
  const record: Record<string, unknown> = { name: id, ...kept }
  for (const [name, value] of flags) {
    if (FILES.includes(name) || !FLAGS.some((flag) => flag.name === name)) continue
    record[name] = LISTS.includes(name) ? partsOf(value) : name === 'groups' ? await mapOf(value, findGroup) : value
  }
  const ca = flags.get('caFile')
  if (ca !== undefined) record['ca'] = ca === '' ? '' : await textOf(String(ca))
  const parsed = DirectoryFields.safeParse(record)
  if (!parsed.success) throw new ConfigError(issueTexts(parsed.error).join('; '))
  const issues = issuesOf(parsed.data)
  if (issues.length > 0) throw new ConfigError(issues.join('; '))
  const file = flags.get('bindPasswordFile')
  if (file === undefined && before !== null && bindPassword !== '' && isElsewhere(before, parsed.data))
    throw new ConfigError('bindPasswordFile: the password is needed again, because it would go elsewhere')
  return { ...parsed.data, id, bindPassword: file === undefined ? bindPassword : await firstLineOf(String(file)) }
}

function partsOf(value: unknown): string[] {
  return String(value)
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** `name=>group`, several times for several names of a group. */
async function mapOf(pairs: unknown, findGroup: FindGroup): Promise<{ group: number; values: string[] }[]> {
  const map = new Map<number, string[]>()
  for (const pair of partsOf(pairs)) {
    const [value = '', name = ''] = pair.split('=>').map((part) => part.trim())
    const group = await findGroup(name)
    if (group === null || value === '') throw new ConfigError(`groups: there is no group ${JSON.stringify(name)}`)
    map.set(group.id, [...(map.get(group.id) ?? []), value])
  }
  return [...map].map(([group, values]) => ({ group, values }))
}

async function textOf(file: string): Promise<string> {
  try {
    return await Bun.file(file).text()
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read`, { cause })
  }
}

async function remove(call: Call): Promise<void> {
  const [id = ''] = call.args
  const admin = await call.openAdmin()
  const directory = await found(admin, id)
  const store = createDirectoryStore(admin.db, clock, admin.bus)
  const links = createAccountLinks(admin.db, clock)
  await removeDirectory({ store, links, disconnect: disconnectIn(admin) }, id)
  admin.note({
    kind: 'providers-changed',
    subject: directory.name,
    details: [{ place: 'urls', before: directory.urls.join(' '), after: null }],
  })
  call.terminal.out(`removed ${visible(directory.name)}`)
}

async function attempt(call: Call): Promise<void> {
  const [id = '', username] = call.args
  const admin = await call.openAdmin()
  const links = createAccountLinks(admin.db, clock)
  const preview = createArrivalPreview({ users: admin.users, links, groups: admin.groups })
  const file = call.flags.get('passwordFile')
  const password = file === undefined ? undefined : await firstLineOf(String(file))
  const none = async (): Promise<void> => undefined
  const report = await createTrial({ entry: { preview }, clock })(await found(admin, id), {
    username,
    password,
    onFound: none,
    onRight: none,
  })
  if (call.json) return call.terminal.out(json(report))
  call.terminal.out(table(report.steps.map(({ step, ok, detail }) => [ok ? 'ok' : 'FAILED', step, visible(detail)])))
  if (report.problem !== null) throw new ConfigError(`they could not sign in: ${report.problem}`)
}
