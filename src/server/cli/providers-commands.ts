import * as z from 'zod/mini'
import { ProviderFields } from '../../shared/contract/providers.ts'
import { issueTexts } from '../../shared/errors.ts'
import { PROVIDER_ID } from '../../shared/provider-id.ts'
import { isSameIssuer } from '../../shared/same-issuer.ts'
import { ConfigError } from '../config/config-error.ts'
import { createAccountLinks } from '../providers/account-links.ts'
import { issuerProblem, type StoredProvider } from '../providers/provider.ts'
import { createDisconnect, type Disconnect } from '../providers/disconnect.ts'
import { createProviderSessions } from '../providers/provider-sessions.ts'
import { createProviderStore } from '../providers/provider-store.ts'
import { trustNoMore } from '../providers/trust.ts'
import { createSignInLinks, LINK_MS } from '../providers/sign-in-links.ts'
import type { AdminContext } from './admin-context.ts'
import { defineCommand, type Call, type Command, type Flag, type FlagValues } from './command.ts'
import { json, table, visible, yesNo } from './print.ts'

const clock = (): Date => new Date()

const FLAGS: readonly Flag[] = [
  { name: 'name', kind: 'text', about: 'the name on the button' },
  { name: 'issuer', kind: 'text', about: 'the provider’s address, as it describes itself' },
  { name: 'clientId', kind: 'text', about: 'the client id that the provider gave' },
  { name: 'clientSecretFile', kind: 'text', about: 'a file whose first line is the client secret; empty for none' },
  { name: 'scopes', kind: 'list', about: 'with commas, besides openid' },
  { name: 'usernameClaim', kind: 'text', about: 'from which claim new accounts get their names' },
  { name: 'allow.claim', kind: 'text', about: 'the claim that decides who may sign in' },
  { name: 'allow.values', kind: 'list', about: 'its values, with commas; without, everybody' },
  { name: 'admin.claim', kind: 'text', about: 'the claim that decides who is an administrator' },
  { name: 'admin.values', kind: 'list', about: 'its values, with commas; without, nobody' },
  { name: 'groups.claim', kind: 'text', about: 'the claim that memberships follow' },
  { name: 'groups.map', kind: 'list', about: 'value=group, with commas: who has the value in the claim is a member of that group' },
  { name: 'secondFactor', kind: 'switch', about: 'trust it to ask for a second factor, so that none is asked here' },
  { name: 'create', kind: 'switch', about: 'create accounts for new people' },
  { name: 'endSession', kind: 'switch', about: 'sign out at the provider too' },
  { name: 'enabled', kind: 'switch', about: 'offer it on the sign-in page' },
]

export const PROVIDERS_COMMANDS: readonly Command[] = [
  defineCommand('providers ls', 'the providers through which people sign in, in the order of their buttons', list),
  defineCommand('providers set <id>', 'add a provider (OpenID Connect), or change one; what is not given stays', set, { flags: FLAGS }),
  defineCommand('providers rm <id>', 'remove a provider; accounts stay', remove),
  defineCommand('providers passwords', 'accept passwords again, if people could sign in only through a provider', acceptPasswords),
  defineCommand('users sign-in-link <id|name>', 'a link that signs in once within 15 minutes, also if passwords are refused', signInLink, {
    flags: [{ name: 'at', kind: 'text', about: 'the address by which the browser reaches the server, such as https://files.example.org' }],
    server: 'all',
  }),
]

async function list(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const providers = await createProviderStore(admin.db, clock, admin.bus).all()
  if (call.json) return call.terminal.out(json(providers.map(({ clientSecret, ...rest }) => ({ ...rest, hasSecret: clientSecret !== '' }))))
  const rows = providers.map(({ id, name, issuer, clientId, create, enabled }) =>
    [id, name, issuer, clientId].map(visible).concat(yesNo(create), yesNo(enabled)),
  )
  call.terminal.out(table([['ID', 'Name', 'Issuer', 'Client', 'Creates', 'On'], ...rows]))
  if ((await admin.settings()).providersOnly) call.terminal.out('Passwords are refused: people sign in through a provider.')
}

async function set(call: Call): Promise<void> {
  const { args, flags, terminal } = call
  const [id = ''] = args
  if (!PROVIDER_ID.test(id) || id.length > 40)
    throw new ConfigError('the id has lower-case letters, digits and dashes: it is a part of the redirect address')
  const admin = await call.openAdmin()
  const store = createProviderStore(admin.db, clock, admin.bus)
  const before = await store.find(id)
  const provider = await changed(before, id, flags, (name) => admin.groups.named(name))
  await store.put(provider)
  if (before?.secondFactor === true && !provider.secondFactor)
    await trustNoMore({ links: createAccountLinks(admin.db, clock), users: admin.users }, id)
  admin.note({
    kind: 'providers-changed',
    subject: provider.name,
    details: [{ place: 'issuer', before: before?.issuer ?? null, after: provider.issuer }],
  })
  terminal.out(
    `${before === null ? 'added' : 'changed'} ${visible(provider.name)}; its redirect address ends with /api/oidc/${id}/callback`,
  )
}

type FindGroup = (name: string) => Promise<{ readonly id: number } | null>

async function changed(before: StoredProvider | null, id: string, flags: FlagValues, findGroup: FindGroup): Promise<StoredProvider> {
  const file = flags.get('clientSecretFile')
  const { clientSecret = '', ...fields } = before ?? {}
  const record: Record<string, unknown> = { name: id, ...fields }
  for (const [name, value] of flags) {
    const [first = '', second] = name.split('.')
    if (name === 'clientSecretFile' || !FLAGS.some((flag) => flag.name === name)) continue
    record[first] =
      second === undefined
        ? value
        : { ...(record[first] as object | undefined), [second]: name === 'groups.map' ? await mapOf(value, findGroup) : value }
  }
  const parsed = ProviderFields.safeParse(record)
  if (!parsed.success) throw new ConfigError(issueTexts(parsed.error).join('; '))
  const problem = issuerProblem(parsed.data.issuer)
  if (problem !== null) throw new ConfigError(`issuer: ${problem}`)
  if (file === undefined && before !== null && clientSecret !== '' && !isSameIssuer(before.issuer, parsed.data.issuer))
    throw new ConfigError('clientSecretFile: the secret is needed again, because the issuer is another one; an empty file name removes it')
  return { ...parsed.data, id, clientSecret: file === undefined ? clientSecret : await firstLineOf(String(file)) }
}

/** `value=group`, several times for several values of a group. */
async function mapOf(pairs: unknown, findGroup: FindGroup): Promise<{ group: number; values: string[] }[]> {
  const map = new Map<number, string[]>()
  for (const pair of z.array(z.string()).parse(pairs)) {
    const [value = '', name = value] = pair.split('=').map((part) => part.trim())
    const group = await findGroup(name)
    if (group === null || value === '') throw new ConfigError(`groups.map: there is no group ${JSON.stringify(name)}`)
    map.set(group.id, [...(map.get(group.id) ?? []), value])
  }
  return [...map].map(([group, values]) => ({ group, values }))
}

export async function firstLineOf(file: string): Promise<string> {
  if (file === '') return ''
  try {
    const [line = ''] = (await Bun.file(file).text()).split(/\r?\n/)
    return line
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read`, { cause })
  }
}

async function remove(call: Call): Promise<void> {
  const [id = ''] = call.args
  const admin = await call.openAdmin()
  const store = createProviderStore(admin.db, clock, admin.bus)
  const provider = await store.find(id)
  if (provider === null) throw new ConfigError(`there is no provider ${JSON.stringify(id)}`)
  await store.remove(id)
  await disconnectIn(admin).everybody(id)
  admin.note({ kind: 'providers-changed', subject: provider.name, details: [{ place: 'issuer', before: provider.issuer, after: null }] })
  call.terminal.out(`removed ${visible(provider.name)}`)
}

/** What connections gave ends in the database; a running server looks there within a second. */
export function disconnectIn({ db, users, groups, bus }: AdminContext): Disconnect {
  const links = createAccountLinks(db, clock)
  const sessions = createProviderSessions({ db, bus, clock })
  return createDisconnect({ store: createProviderStore(db, clock, bus), links, users, groups, sessions, bus, log: console.error })
}

async function acceptPasswords(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  await admin.changeSettings((before) => ({ ...before, providersOnly: false }))
  call.terminal.out('passwords are accepted')
}

async function signInLink(call: Call): Promise<void> {
  const { args, flags, terminal, serverSettings } = call
  const admin = await call.openAdmin()
  const account = await admin.account(args[0] ?? '')
  if (account.disabled) throw new ConfigError(`the account ${JSON.stringify(account.username)} is switched off`)
  const { publicAddress, port, baseURL } = serverSettings
  const at = String(flags.get('at') ?? publicAddress[0] ?? `http://localhost:${port}`).replace(/\/+$/, '')
  const base = baseURL === '' ? '' : `/${baseURL.replace(/^\/+|\/+$/g, '')}`
  const secret = await createSignInLinks(admin.db, clock).make(account.id)
  admin.note({ kind: 'user-changed', subject: account.username, details: [{ place: 'sign-in-link', before: null, after: null }] })
  terminal.complain(`satchel: this link signs in as ${visible(account.username)}, once, within ${LINK_MS / 60_000} minutes`)
  terminal.out(`${at}${base}/login#once=${secret}`)
}
