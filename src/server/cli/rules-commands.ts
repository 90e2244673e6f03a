import type { Rule } from '../../shared/contract/users.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Account } from '../users/account.ts'
import { defineCommand, type Call, type Command, type Flag } from './command.ts'
import { type AdminContext, OPERATOR } from './admin-context.ts'
import { json, visible } from './print.ts'
import { removePositions } from './positions.ts'

const WHOSE: readonly Flag[] = [
  { name: 'username', kind: 'text', short: 'u', about: 'the rules of this account instead of everybody’s' },
  { name: 'id', kind: 'count', short: 'i', about: 'the same, by id' },
]

export const RULES_COMMANDS: readonly Command[] = [
  defineCommand('rules ls', 'the rules in their order; the last that matches decides', list, { flags: WHOSE }),
  defineCommand('rules add <path|expression>', 'add a rule at the end; it denies unless told to allow', add, {
    flags: [
      ...WHOSE,
      { name: 'allow', kind: 'switch', short: 'a', about: 'allow instead of deny' },
      { name: 'regex', kind: 'switch', short: 'r', about: 'a regular expression (RE2) instead of a path' },
    ],
  }),
  defineCommand('rules rm <index> [last index]', 'remove a rule, or those from the first to the last', remove, {
    flags: [...WHOSE, { name: 'index', kind: 'count', about: 'accepted without effect, as in File Browser' }],
  }),
]

async function list(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const owner = await ownerOf(call, admin)
  show(call, owner?.rules ?? (await admin.settings()).rules)
}

async function add(call: Call): Promise<void> {
  const { args, flags } = call
  const [text = ''] = args
  const allow = flags.get('allow') === true
  const rule: Rule =
    flags.get('regex') === true
      ? { regex: true, allow, path: '', regexp: { raw: text } }
      : { regex: false, allow, path: text, regexp: null }
  if (text.trim() === '') throw new ConfigError('a rule needs a path or an expression')
  await change(call, (rules) => [...rules, rule])
}

async function remove(call: Call): Promise<void> {
  await change(call, (rules) => removePositions(rules, call.args))
}

async function change(call: Call, action: (before: readonly Rule[]) => Rule[]): Promise<void> {
  const admin = await call.openAdmin()
  const owner = await ownerOf(call, admin)
  if (owner === null) {
    await admin.changeSettings((before) => ({ ...before, rules: action(before.rules) }))
  } else {
    await admin.management.change(owner.id, { what: 'user', which: ['rules'], data: { rules: action(owner.rules) } }, OPERATOR)
  }
  await list(call)
}

async function ownerOf({ flags }: Call, admin: AdminContext): Promise<Account | null> {
  const [username, id] = [flags.get('username'), flags.get('id')]
  if (username !== undefined && id !== undefined) throw new ConfigError('--username and --id exclude each other')
  if (id !== undefined) return admin.account(String(id))
  if (username === undefined) return null
  return (await admin.users.findByName(String(username))) ?? admin.account(JSON.stringify(username))
}

function show({ terminal, json: wanted }: Call, rules: readonly Rule[]): void {
  if (wanted) return terminal.out(json(rules))
  for (const [at, { allow, regex, regexp, path }] of rules.entries()) {
    const what = regex ? `expression ${visible(regexp?.raw ?? '')}` : `path ${visible(path)}`
    terminal.out(`(${at}) ${allow ? 'allow' : 'deny'} ${what}`)
  }
  if (rules.length === 0) terminal.out('no rules')
}
