import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { isRecord, recordOr } from '../records.ts'
import { BoltError, type BoltFile } from './bolt.ts'
import { accountsIn, parsed } from './file-browser.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is stored in either database of Quantum, as it is there. */
export interface QuantumRecords {
  readonly accounts: readonly QuantumAccount[]
  readonly links: readonly Fields[]
  /** By path of the source, then by path inside it. */
  readonly rules: Fields
  /** Members by name of the group. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
}

/** An account; `fields` are its preferences under the names that version 1 used. */
export interface QuantumAccount {
  /** Random and of 64 bits in version 2. */
  readonly id: string
  readonly username: string
  readonly password: string
  readonly loginMethod: string
  readonly hasSecondFactor: boolean
  readonly hasTokens: boolean
  readonly permissions: Fields
  /** `source` is its path, in old versions its name, and empty for the only one. */
  readonly scopes: readonly { readonly source: string; readonly scope: string; readonly permissions: Fields | null }[]
  readonly fields: Fields
}

/** Whether a bolt file is Quantum's: its accounts have scopes in sources. */
export function isQuantum(file: BoltFile): boolean {
  return accountsIn(file).some(
    (account) => isRecord(account) && (Object.hasOwn(account, 'permissions') || Object.hasOwn(account, 'scopes')),
  )
}

/** Version 0.3 to 1. Throws `BoltError`. */
export function readQuantumBolt(file: BoltFile): QuantumRecords {
  const links = ['Link', 'Share'].flatMap((bucket) =>
    file.bucket(bucket).map(({ key, value }) => recordOr(parsed(value, `link ${key.toString()}`))),
  )
  const stored = file.bucket('access_rules').find(({ key }) => key.toString() === 'rules')
  // Bytes are stored as base64 in JSON.
  const access = stored === undefined ? {} : recordOr(parsed(Buffer.from(String(parsed(stored.value, 'the rules')), 'base64'), 'the rules'))
  const groups = Object.entries(recordOr(access.groups)).map(([name, members]) => [name, new Set(Object.keys(recordOr(members)))] as const)
  return { accounts: accountsIn(file).map(boltAccount), links, rules: recordOr(access.all_rules), groups: new Map(groups) }
}

function boltAccount(stored: unknown): QuantumAccount {
  const fields = recordOr(stored)
  return {
    id: String(fields.id),
    username: textOf(fields.username),
    password: textOf(fields.password),
    loginMethod: textOf(fields.loginMethod),
    hasSecondFactor: fields.otpEnabled === true || textOf(fields.totpSecret) !== '',
    hasTokens: [fields.apiKeys, fields.tokens].some((keys) => Object.keys(recordOr(keys)).length > 0),
    permissions: recordOr(fields.permissions ?? fields.perm),
    scopes: scopesOf(fields),
    fields,
  }
}

/** Version 2, which uses SQLite. The file and what is still in its log are copied, because opening a database can change it. */
export function readQuantumSqlite(path: string): QuantumRecords {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-migrate-'))
  try {
    const copy = join(folder, 'copy.db')
    for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
    using db = new Database(copy)
    const rows = (table: string): Fields[] => db.query<Fields, []>(`select * from ${table}`).all()
    const rules = Object.groupBy(rows('access_rules'), ({ source }) => textOf(source))
    return {
      accounts: rows('users').map(sqliteAccount),
      links: rows('shares').map(({ share_settings: settings, ...row }) => ({
        ...parsedColumn(settings),
        ...row,
        userID: row.user_id,
        source: row.source,
      })),
      rules: Object.fromEntries(
        Object.entries(rules).map(([source, all = []]) => [
          source,
          Object.fromEntries(all.map(({ path: place, rule_data: data }) => [textOf(place), parsedColumn(data)])),
        ]),
      ),
      groups: new Map(rows('groups').map(({ name, members }) => [textOf(name), new Set(Object.values(parsedColumn(members)).map(String))])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sqliteAccount({ user_id: id, username, perm_admin: admin, user_data: stored }: Fields): QuantumAccount {
  const data = parsedColumn(stored)
  const [profile, old] = [recordOr(data.profile), recordOr(data.settings)]
  const account = recordOr(profile.account)
  const files = recordOr(data.filePermissions)
  return {
    id: String(id),
    username: textOf(username),
    password: textOf(data.password),
    loginMethod: textOf(data.loginMethod),
    hasSecondFactor: data.otpEnabled === true || textOf(data.totpSecret) !== '' || Array.isArray(old.passkeyCredentials),
    hasTokens: Object.keys(recordOr(data.tokens)).length > 0,
    permissions: {
      // Rights to files are in the scopes, in early versions in `filePermissions`; a right that is in neither was not granted.
      modify: false,
      create: false,
      delete: false,
      download: false,
      ...files,
      admin: admin === 1,
      share: data.share === true || files.share === true || recordOr(account.permissions).share === true,
    },
    scopes: scopesOf(data),
    fields: { ...old, ...recordOr(profile.listing), ...recordOr(profile.ui), lockPassword: account.lockPassword === true },
  }
}

function scopesOf(fields: Fields): QuantumAccount['scopes'] {
  const list = [fields.backendScopes, fields.scopes].find((all) => Array.isArray(all) && all.length > 0)
  if (!Array.isArray(list)) return typeof fields.scope === 'string' ? [{ source: '', scope: fields.scope, permissions: null }] : []
  const bySource = recordOr(fields.backendSourcePermissions)
  return list.filter(isRecord).map(({ path, name, scope, permissions }) => {
    const source = textOf(path ?? name)
    return { source, scope: textOf(scope), permissions: [permissions, bySource[source]].find(isGranted) ?? null }
  })
}

/** Rights without any that is set were never configured. */
function isGranted(rights: unknown): rights is Fields {
  return isRecord(rights) && Object.values(rights).includes(true)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parsedColumn(value: unknown): Fields {
  try {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString() : textOf(value)
    const found: unknown = text === '' ? {} : JSON.parse(text)
    return Array.isArray(found) ? { ...found } : recordOr(found)
  } catch (error) {
    throw new BoltError('a row is damaged', { cause: error })
  }
}
