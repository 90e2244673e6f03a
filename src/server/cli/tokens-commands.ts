import { isAppError } from '../../shared/errors.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import type { ApiToken } from '../../shared/contract/tokens.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { rightsInTree } from '../tokens/rights.ts'
import { NO_RIGHTS, RIGHTS } from '../access/permissions.ts'
import { ConfigError } from '../config/config-error.ts'
import { accessOf } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { OPERATOR } from './admin-context.ts'
import { defineCommand, type Call, type Command, type FlagValue } from './command.ts'
import { json, table, visible } from './print.ts'

const MAKER = { by: { id: OPERATOR.viewer.userId, name: OPERATOR.viewer.username }, address: OPERATOR.address }

export const TOKENS_COMMANDS: readonly Command[] = [
  defineCommand('tokens ls [id|name]', 'API tokens of everybody, or of one account', list),
  defineCommand('tokens add <id|name> <label>', 'make an API token for an account and print it, this once', add, {
    flags: [
      { name: 'rights', kind: 'list', about: `what it may do, of ${RIGHTS.join(', ')}; download by default` },
      { name: 'folder', kind: 'text', about: 'the only folder of the account that it reaches; all of it by default' },
      { name: 'expires', kind: 'text', about: 'when it ends, such as 2030-12-31 or 2030-12-31T18:00Z; never by default' },
    ],
  }),
  defineCommand('tokens rm <token id> …', 'revoke API tokens at once', remove),
]

async function list(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const [who] = call.args
  show(call, await admin.tokens.list(who === undefined ? null : (await admin.account(who)).id))
}

async function add(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const [who = '', name = ''] = call.args
  const account = await admin.account(who)
  const folder = String(call.flags.get('folder') ?? '/')
  const may = await rightsIn(call, account, folder)
  const input = { name, perm: rightsFrom(call), folder, expires: endFrom(call.flags.get('expires')) }
  const made = await admin.tokens.create({ id: account.id, username: account.username, may }, input, MAKER).catch(said)
  if (call.json) return call.terminal.out(json(made))
  call.terminal.complain('satchel: nobody can be shown this token again')
  call.terminal.out(made.token)
}

async function remove(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const known = await admin.tokens.list(null)
  const wanted = call.args.map((id) => known.find((token) => token.id === id) ?? unknown(id))
  for (const { id, name } of wanted) {
    await admin.tokens.remove(id, { userId: null }, MAKER)
    call.terminal.out(`revoked ${visible(name)}`)
  }
}

function unknown(id: string): never {
  throw new ConfigError(`there is no API token with the id ${JSON.stringify(id)}; "satchel tokens ls" lists them`)
}

function rightsFrom({ flags }: Call) {
  const given = flags.get('rights') ?? ['download']
  const names = (Array.isArray(given) ? given : [given]).map((name) => String(name).toLowerCase())
  const wrong = names.find((name) => !RIGHTS.some((right) => right === name))
  if (wrong !== undefined) throw new ConfigError(`no right is called ${JSON.stringify(wrong)}; there are ${RIGHTS.join(', ')}`)
  return { ...NO_RIGHTS, ...Object.fromEntries(names.map((name) => [name, true])) }
}

function endFrom(given: FlagValue | undefined): number | null {
  if (given === undefined) return null
  const text = String(given)
  const time = Date.parse(text)
  return Number.isNaN(time) ? unclear(text) : time
}

function unclear(text: string): never {
  throw new ConfigError(`--expires: ${JSON.stringify(text)} is no date; write 2030-12-31 or 2030-12-31T18:00Z`)
}

/** What the account may give a token for a folder, which must exist. */
async function rightsIn(call: Call, account: Account, folder: string): Promise<Permissions> {
  const path = parseFilePath(folder)
  const admin = await call.openAdmin()
  const access = accessOf(account, await admin.settings(), await admin.groups.grantedTo(account.id))
  if (path === '/') return rightsInTree(access)
  const drive = (await call.openRoot(call.serverSettings))(access)
  const found = await drive.stat(path).catch((error: unknown) => (isAppError(error, 'not-found') ? null : Promise.reject(error)))
  if (found?.stat.kind !== 'folder') throw new ConfigError(`${visible(account.username)} has no folder ${visible(path)}`)
  return await drive.rights(path)
}

/** The account may do less than was asked for. */
function said(error: unknown): never {
  if (isAppError(error, 'forbidden')) throw new ConfigError(`the account itself has no right to ${error.detail.right}`, { cause: error })
  throw error
}

function show({ terminal, json: wanted }: Call, tokens: readonly ApiToken[]): void {
  if (wanted) return terminal.out(json(tokens))
  terminal.out(table([['ID', 'Account', 'Name', 'May', 'Folder', 'Ends', 'Last used', 'From'], ...tokens.map(rowOf)]))
}

function rowOf({ id, username, name, perm, folder, expires, lastUsed, lastAddress }: ApiToken): string[] {
  const rights = perm.admin ? 'everything' : RIGHTS.filter((right) => perm[right]).join(' ')
  return [id, visible(username), visible(name), rights, visible(folder), timeOf(expires), timeOf(lastUsed), visible(lastAddress)]
}

function timeOf(ms: number | null): string {
  return ms === null ? 'never' : new Date(ms).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z')
}
