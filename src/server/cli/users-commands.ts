import { fail } from '../../shared/errors.ts'
import { ConfigError } from '../config/config-error.ts'
import { type Account, toWire } from '../users/account.ts'
import { askPassword } from './password-input.ts'
import { defineCommand, type Call, type Command, type Flag } from './command.ts'
import { type AdminContext, OPERATOR } from './admin-context.ts'
import { json, table, visible, yesNo } from './print.ts'
import { applyFlags, USER_FLAGS } from './user-flags.ts'

const RENAME: readonly Flag[] = [
  { name: 'username', kind: 'text', short: 'u', about: 'a new name' },
  { name: 'password', kind: 'text', short: 'p', about: 'a new password; - asks for it' },
]

export const USERS_COMMANDS: readonly Command[] = [
  defineCommand('users add <name> [password]', 'make an account; what is not given comes from the defaults for new accounts', add, {
    flags: USER_FLAGS,
  }),
  defineCommand('users update <id|name>', 'change an account; what is not given stays', update, { flags: [...RENAME, ...USER_FLAGS] }),
  defineCommand('users disable <id|name> …', 'switch accounts off: nobody signs in, every session ends', (call) =>
    switched(call, { disabled: true }),
  ),
  defineCommand('users enable <id|name> …', 'switch accounts on', (call) => switched(call, { disabled: false })),
  defineCommand('users rm <id|name> …', 'remove accounts; their files stay', remove),
  defineCommand(
    'users factors <what> <id|name> …',
    'second factors of accounts: ls lists them, rm removes all of them, for people who lost theirs',
    factors,
  ),
  defineCommand('users ls', 'all accounts', list),
  defineCommand('users find <id|name>', 'one account', find),
]

async function add(call: Call): Promise<void> {
  const { args, flags } = call
  const admin = await call.openAdmin()
  const { defaults } = await admin.settings()
  const [username = '', given] = args
  const password = await passwordFrom(call, given)
  // The scope decides whether a home is created, so only an explicit one counts.
  const record = applyFlags({ ...defaults, scope: '', lockPassword: false, rules: [] }, flags, USER_FLAGS)
  const account = await admin.management.create({ what: 'user', which: [], data: { ...record, username, password } }, OPERATOR)
  show(call, [account], `made ${visible(account.username)} with the id ${account.id}`)
}

async function update(call: Call): Promise<void> {
  const { args, flags } = call
  const admin = await call.openAdmin()
  const before = await admin.account(args[0] ?? '')
  const given = flags.get('password')
  const changes = {
    ...applyFlags({ perm: before.perm, sorting: before.sorting }, flags, USER_FLAGS),
    ...(flags.has('username') && { username: flags.get('username') }),
    ...(given !== undefined && { password: await passwordFrom(call, String(given)) }),
  }
  const asked = [...flags.keys()].map((name) => name.split('.')[0] ?? name)
  const which = Object.keys(changes).filter((name) => asked.includes(name))
  if (which.length === 0) throw new ConfigError('nothing to change was given; satchel users update --help lists what can be')
  await admin.management.change(before.id, { what: 'user', which, data: changes }, OPERATOR)
  show(call, [await admin.account(String(before.id))], `changed ${visible(before.username)}`)
}

async function switched(call: Call, { disabled }: { disabled: boolean }): Promise<void> {
  const admin = await call.openAdmin()
  const accounts = await named(call, admin)
  if (disabled) await keepAnAdministrator(admin, accounts)
  for (const { id, username } of accounts) {
    await admin.management.change(id, { what: 'user', which: ['disabled'], data: { disabled } }, OPERATOR)
    call.terminal.out(`switched ${visible(username)} ${disabled ? 'off' : 'on'}`)
  }
}

async function remove(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const accounts = await named(call, admin)
  await keepAnAdministrator(admin, accounts)
  for (const { id, username } of accounts) {
    await admin.management.remove(id, OPERATOR)
    call.terminal.out(`removed ${visible(username)}`)
  }
}

async function factors(call: Call): Promise<void> {
  const [action = '', ...who] = call.args
  if (action !== 'ls' && action !== 'rm') throw new ConfigError(`satchel users factors knows ls and rm, not ${JSON.stringify(action)}`)
  const admin = await call.openAdmin()
  for (const account of await named({ ...call, args: who }, admin)) {
    if (action === 'rm') await admin.factors.removeAll(account.id, OPERATOR)
    const { totp, passkeys, recoveryCodes, devices } = await admin.factors.list({ ...OPERATOR.viewer, userId: account.id })
    const left = [
      ...(totp === null ? [] : ['authenticator app']),
      ...passkeys.map(({ name }) => `passkey ${visible(name)}`),
      ...(recoveryCodes === 0 ? [] : [`${recoveryCodes} recovery codes`]),
      ...(devices.length === 0 ? [] : [`${devices.length} trusted devices`]),
    ]
    call.terminal.out(`${visible(account.username)}: ${left.join(', ') || 'none'}`)
  }
}

async function list(call: Call): Promise<void> {
  show(call, await (await call.openAdmin()).users.all())
}

async function find(call: Call): Promise<void> {
  show(call, [await (await call.openAdmin()).account(call.args[0] ?? '')])
}

/** All named accounts, each once, before anything is changed. */
async function named({ args }: Call, admin: AdminContext): Promise<Account[]> {
  const accounts = await Promise.all(args.map((who) => admin.account(who)))
  return [...new Map(accounts.map((account) => [account.id, account])).values()]
}

/** Checked for all of them together, so that a refusal changes none. Fails with `forbidden`. */
async function keepAnAdministrator({ users }: AdminContext, leaving: readonly Account[]): Promise<void> {
  const isAdministrator = ({ perm, disabled }: Account): boolean => perm.admin && !disabled
  if (!leaving.some(isAdministrator)) return
  const gone = new Set(leaving.map(({ id }) => id))
  if (!(await users.all()).some((account) => isAdministrator(account) && !gone.has(account.id))) fail('forbidden', { right: 'admin' })
}

async function passwordFrom({ terminal }: Call, given: string | undefined): Promise<string> {
  if (given === undefined || given === '-' || given === '') return askPassword()
  terminal.complain('satchel: every user of this machine can read a command line; leave the password out to be asked for it')
  return given
}

function show({ terminal, json: wanted }: Call, accounts: readonly Account[], done?: string): void {
  if (wanted) {
    const records = accounts.map((account) => ({ ...toWire(account), password: undefined }))
    terminal.out(json(done === undefined ? records : records[0]))
    return
  }
  if (done !== undefined) terminal.out(done)
  terminal.out(table([['ID', 'Name', 'Scope', 'Locale', 'View', 'Admin', 'May', 'Locked', 'Off'], ...accounts.map(rowOf)]))
}

function rowOf(account: Account): string[] {
  const { admin, ...others } = account.perm
  const rights = Object.entries(others).flatMap(([right, granted]) => (granted ? [right] : []))
  return [
    String(account.id),
    visible(account.username),
    visible(account.scope),
    visible(account.locale),
    account.viewMode,
    yesNo(admin),
    admin ? 'everything' : rights.join(' '),
    yesNo(account.lockPassword),
    yesNo(account.disabled),
  ]
}
