import { ConfigError } from '../../config/config-error.ts'
import { type FilePath, ROOT } from '../../../shared/file-path.ts'
import { NO_PASSWORD } from '../../users/password.ts'
import { usernameKey } from '../../users/username.ts'
import { recordOr } from '../records.ts'
import type { OldDatabase } from './old-database.ts'
import { type QuantumConfig, readQuantumConfig, type Source, viewModeFrom } from './quantum-config.ts'
import { type LinkOwner, quantumLinks } from './quantum-links.ts'
import { type QuantumAccount, type QuantumRecords, textOf } from './quantum-records.ts'
import { pathOf, type QuantumRules, rulesFor, usesGroups } from './quantum-rules.ts'

/** What the operator said, and what is here. */
export interface QuantumOptions {
  /** Path of config.yaml; null if it was not given. */
  readonly config: string | null
  /** Name or path of the source that is served here; null if it was not given. */
  readonly source: string | null
  /** The folder that is served here; null if the operator did not name it. */
  readonly root: string | null
  /** Accounts that are here keep their ids, by name. */
  readonly present: readonly { readonly id: number; readonly username: string }[]
}

/** Ids are random and of 64 bits in version 2; greater ones than this get another. */
const MAX_KEPT_ID = 1_000_000_000

const NO_CONFIG: Omit<QuantumConfig, 'sources'> = {
  settings: {},
  server: { tokenExpirationTime: '2h' },
  auther: {},
  notes: ['settings are in config.yaml, which was not given: name it with --quantum-config'],
}

/** What Quantum stored, as File Browser would have. Throws `ConfigError` if it is not clear which source is meant. */
export function fromQuantum(records: QuantumRecords, { config: file, source: named, root, present }: QuantumOptions): OldDatabase {
  const config = file === null ? { ...NO_CONFIG, sources: sourcesOf(records) } : readQuantumConfig(file)
  const source = atStoredPath(chosen(config.sources, { named, root }), sourcesOf(records))
  const rules: QuantumRules = {
    byPath: { ...recordOr(records.rules[source.name]), ...recordOr(records.rules[source.path]) },
    groups: records.groups,
    denyByDefault: source.config.denyByDefault === true,
  }
  const inSource = records.accounts.flatMap((account) => {
    const scope = account.scopes.find((one) => one.source === '' || one.source === source.path || one.source === source.name)
    return scope === undefined ? [] : [{ account, permissions: scope.permissions, scope: pathOf(scope.scope) }]
  })
  if (inSource.length === 0 && records.accounts.length > 0) throw nobodyIn(source, sourcesOf(records))
  const ids = idsOf(inSource, present)
  const owners = new Map<string, LinkOwner>(
    inSource.map(({ account: { id, username }, scope }) => [id, { id: ids.get(id) ?? 0, username, scope }]),
  )
  const { links, leftOut, notes } = quantumLinks(records.links, { source, owners })
  const folder = textOf(source.config.defaultUserScope)
  return {
    product: 'FileBrowser Quantum',
    settings: {
      ...config.settings,
      createUserDir: source.config.createUserDir === true,
      ...(folder !== '' && { defaults: { ...recordOr(config.settings.defaults), scope: folder } }),
    },
    server: { root: source.path, ...config.server },
    auther: config.auther,
    users: inSource.map(({ account, scope, permissions }) => ({
      ...userRecord(account, permissions),
      id: ids.get(account.id),
      scope,
      rules: [
        ...rulesFor(rules, { username: account.username, scope }),
        ...(permissions?.view === false ? [{ regex: false, allow: false, path: '/', regexp: null }] : []),
      ],
    })),
    links,
    leftOut,
    notes: [
      ...config.notes,
      ...config.sources.flatMap((other) =>
        other.name === source.name ? [] : [`the source ${other.name} (${other.path}) was left out: one folder is served here`],
      ),
      ...accountNotes(records.accounts, new Set(inSource.map(({ account }) => account))),
      ...(usesGroups(rules) ? ['rules for groups became rules of the people who are in them now'] : []),
      ...notes,
    ],
  }
}

function sourcesOf({ accounts }: QuantumRecords): Source[] {
  const names = new Set(accounts.flatMap(({ scopes }) => scopes.map(({ source }) => source)))
  return [...names].map((path) => ({ name: path, path, config: {} }))
}

/** The path of a source as the accounts know it: config.yaml may say it relative to where Quantum was started. */
function atStoredPath(source: Source, stored: readonly Source[]): Source {
  const isKnown = stored.some(({ path }) => path === source.path || path === source.name)
  return isKnown || stored.length !== 1 ? source : { ...source, path: stored[0]?.path || source.path }
}

function chosen(sources: readonly Source[], { named, root }: { named: string | null; root: string | null }): Source {
  const isMeant = ({ name, path }: Source): boolean => (named === null ? path === root : name === named || path === named)
  const meant = named === null && sources.length === 1 ? sources[0] : sources.find(isMeant)
  if (meant !== undefined) return meant
  throw new ConfigError(`nothing was moved: one folder is served here; name its source with --source: ${listOf(sources)}`)
}

function nobodyIn(source: Source, known: readonly Source[]): ConfigError {
  return new ConfigError(
    `nothing was moved: no account has a folder in the source ${listOf([source])}; the accounts of this database have theirs in ` +
      `${listOf(known) || 'none'}. Name one of these with --source, or the config.yaml that belongs to the database`,
  )
}

function listOf(sources: readonly Source[]): string {
  return sources.map(({ name, path }) => (name === path ? path : `${name} (${path})`)).join(', ')
}

/** Small ids stay, because old tokens and scripts may hold them. */
function idsOf(list: readonly { account: QuantumAccount }[], present: QuantumOptions['present']): ReadonlyMap<string, number> {
  const here = new Map(present.map(({ id, username }) => [usernameKey(username), id]))
  const ids = new Map<string, number>()
  for (const { account } of list) {
    const id = Number(account.id)
    if (id > 0 && id <= MAX_KEPT_ID) ids.set(account.id, id)
  }
  let last = Math.max(0, ...ids.values(), ...here.values())
  for (const { account } of list) if (!ids.has(account.id)) ids.set(account.id, here.get(usernameKey(account.username)) ?? (last += 1))
  return ids
}

/** As File Browser 2.63 writes it, without id, scope and rules. */
function userRecord(account: QuantumAccount, inScope: Readonly<Record<string, unknown>> | null): Record<string, unknown> {
  const { permissions, fields } = account
  const rights = { ...permissions, ...inScope }
  // Before there were separate rights, who could modify could do all, and everybody could download.
  const may = (right: string, before: boolean): boolean => (typeof rights[right] === 'boolean' ? rights[right] : before)
  const modify = rights.modify === true
  const sorting = recordOr(fields.sorting)
  return {
    username: account.username,
    password: hasOwnPassword(account) ? account.password : NO_PASSWORD,
    perm: {
      admin: permissions.admin === true,
      execute: false,
      create: may('create', modify),
      rename: modify,
      modify,
      delete: may('delete', modify),
      share: permissions.share === true,
      download: may('download', true),
    },
    locale: textOf(fields.locale),
    viewMode: viewModeFrom(textOf(fields.viewMode)),
    singleClick: fields.singleClick === true,
    dateFormat: fields.dateFormat === true,
    hideDotfiles: fields.showHidden !== true,
    lockPassword: fields.lockPassword === true,
    sorting: { by: textOf(sorting.by), asc: sorting.asc === true },
  }
}

/** For people who sign in elsewhere, Quantum stores a hash of their name as their password. */
function hasOwnPassword({ loginMethod, password }: QuantumAccount): boolean {
  return (loginMethod === '' || loginMethod === 'password') && password !== ''
}

function accountNotes(all: readonly QuantumAccount[], moved: ReadonlySet<QuantumAccount>): string[] {
  const list = (those: readonly QuantumAccount[]): string => those.map(({ username }) => JSON.stringify(username)).join(', ')
  const notes: [string, QuantumAccount[]][] = [
    ['left out, because they have no folder in this source', all.filter((one) => !moved.has(one))],
    [
      'without a password here, because they signed in elsewhere; set one with "satchel users update"',
      all.filter((one) => moved.has(one) && !hasOwnPassword(one)),
    ],
    [
      'whose second factor cannot be moved, so that their password alone signs them in',
      all.filter((one) => moved.has(one) && one.hasSecondFactor),
    ],
    ['whose API tokens do not work here', all.filter((one) => moved.has(one) && one.hasTokens)],
  ]
  return notes.flatMap(([what, those]) => (those.length === 0 ? [] : [`accounts ${what}: ${list(those)}`]))
}

/** Scopes are relative to the source, whatever folders there are. */
export function quantumScope(scope: string): { scope: FilePath } {
  return { scope: scope === '' ? ROOT : pathOf(scope) }
}
