import type { Subject } from '../../shared/contract/groups.ts'
import { FILE_RIGHTS, type FileRight, type Grant, ROLE_NAMES, ROLES, roleOf } from '../../shared/contract/rights.ts'
import { ConfigError } from '../config/config-error.ts'
import type { StoredGroup } from '../groups/store.ts'
import { NO_RIGHTS, RIGHTS } from '../access/permissions.ts'
import { type AdminContext, OPERATOR } from './admin-context.ts'
import { type Call, type Command, defineCommand, type Flag } from './command.ts'
import { json, table, visible } from './print.ts'

const RIGHTS_FLAG: Flag = {
  name: 'rights',
  kind: 'text',
  about: `a role (${ROLE_NAMES.join(', ')}), or rights separated by commas; none for no right`,
}

export const SUBJECT_FLAGS: readonly Flag[] = [
  { name: 'group', kind: 'text', short: 'g', about: 'for this group, by name or id' },
  { name: 'username', kind: 'text', short: 'u', about: 'for this account, by name or id; without both for everybody' },
]

export const GROUPS_COMMANDS: readonly Command[] = [
  defineCommand('groups ls', 'the groups in their order; the later one decides', list),
  defineCommand('groups add <name>', 'add a group at the end', add, {
    flags: [{ name: 'perm', kind: 'list', about: 'rights that members have besides their own, as create,download' }],
  }),
  defineCommand('groups rm <name|id>…', 'remove groups, with their members and roles', remove),
  defineCommand('groups members <name|id>', 'who is in a group; adds and removes members', members, {
    flags: [
      { name: 'add', kind: 'list', about: 'names or ids of accounts that become members' },
      { name: 'rm', kind: 'list', about: 'names or ids of accounts that are members no more' },
    ],
  }),
  defineCommand('groups grant <path|expression>', 'a role on a folder, from the root of the served folder', grant, {
    flags: [
      RIGHTS_FLAG,
      ...SUBJECT_FLAGS,
      { name: 'regex', kind: 'switch', short: 'r', about: 'a regular expression (RE2) instead of a path' },
      { name: 'rm', kind: 'switch', about: 'take the role away' },
    ],
  }),
]

async function list(call: Call): Promise<void> {
  const { groups } = await call.openAdmin()
  const all = await groups.all()
  if (call.json) return call.terminal.out(json(all))
  const rows = all.map(({ id, name, members: count, perm }) => {
    const rights = perm.admin ? 'everything' : RIGHTS.filter((right) => perm[right]).join(' ')
    return [String(id), visible(name), String(count), rights]
  })
  call.terminal.out(table([['ID', 'Name', 'Members', 'May'], ...rows]))
}

async function add(call: Call): Promise<void> {
  const { groups } = await call.openAdmin()
  const asked = listOf(call, 'perm')
  const unknown = asked.filter((name) => !RIGHTS.some((right) => right === name))
  if (unknown.length > 0) throw new ConfigError(`${unknown.join(', ')}: no such right; there are ${RIGHTS.join(', ')}`)
  const perm = { ...NO_RIGHTS, ...Object.fromEntries(asked.map((name) => [name, true])) }
  await groups.create({ name: call.args[0] ?? '', perm }, OPERATOR)
  await list(call)
}

async function remove(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const found = await Promise.all(call.args.map((who) => groupNamed(admin, who)))
  for (const { id, name } of found) {
    await admin.groups.remove(id, OPERATOR)
    call.terminal.out(`removed ${visible(name)}`)
  }
}

async function members(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const { id } = await groupNamed(admin, call.args[0] ?? '')
  const added = await Promise.all(listOf(call, 'add').map((who) => admin.account(who)))
  const gone = await Promise.all(listOf(call, 'rm').map((who) => admin.account(who)))
  for (const account of added) await admin.groups.addMember(id, account.id, OPERATOR)
  for (const account of gone) await admin.groups.removeMember(id, account.id, OPERATOR)
  const all = await admin.groups.members(id, { text: '', after: null, most: Number.MAX_SAFE_INTEGER })
  if (call.json) return call.terminal.out(json(all))
  call.terminal.out(table([['ID', 'Name'], ...all.map((member) => [String(member.id), visible(member.username)])]))
}

async function grant(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const { flags, args, terminal } = call
  const who = await subjectOf(call, admin)
  const isGone = flags.get('rm') === true
  if (isGone === flags.has('rights')) throw new ConfigError('either --rights or --rm is needed')
  const rights = isGone ? null : rightsIn(String(flags.get('rights')))
  await admin.groups.grant(who, { regex: flags.get('regex') === true, path: args[0] ?? '', rights }, OPERATOR)
  const all = await admin.groups.grantsOf(who)
  if (call.json) return terminal.out(json(all))
  for (const one of all) terminal.out(textOf(one))
  if (all.length === 0) terminal.out('no roles')
}

function textOf({ regex, path, rights }: Grant): string {
  return `${roleOf(rights) ?? (rights.join(',') || 'none')} on ${regex ? 'expression' : 'path'} ${visible(path)}`
}

/** A role, or single rights. */
function rightsIn(text: string): FileRight[] {
  const role = ROLE_NAMES.find((name) => name === text)
  if (role !== undefined) return [...ROLES[role]]
  if (text === 'none') return []
  return text.split(',').map((name) => {
    const right = FILE_RIGHTS.find((one) => one === name.trim())
    if (right !== undefined) return right
    throw new ConfigError(
      `${JSON.stringify(name)}: neither a role nor a right; there are ${[...ROLE_NAMES, ...FILE_RIGHTS, 'none'].join(', ')}`,
    )
  })
}

/** Whom `SUBJECT_FLAGS` name. Throws `ConfigError`. */
export async function subjectOf({ flags }: Call, admin: AdminContext): Promise<Subject> {
  const [group, username] = [flags.get('group'), flags.get('username')]
  if (group !== undefined && username !== undefined) throw new ConfigError('--group and --username exclude each other')
  if (group !== undefined) return { kind: 'group', id: (await groupNamed(admin, String(group))).id }
  if (username !== undefined) return { kind: 'user', id: (await admin.account(String(username))).id }
  return { kind: 'everybody', id: 0 }
}

async function groupNamed({ groups }: AdminContext, who: string): Promise<StoredGroup> {
  return (await groups.named(who)) ?? fail(who)
}

function fail(who: string): never {
  throw new ConfigError(`there is no group ${JSON.stringify(who)}`)
}

function listOf({ flags }: Call, name: string): readonly string[] {
  const value = flags.get(name)
  return Array.isArray(value) ? value.map(String) : []
}
