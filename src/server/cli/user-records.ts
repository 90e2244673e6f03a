import * as z from 'zod/mini'
import { Rule, Sorting, type ViewMode } from '../../shared/contract/users.ts'
import { isAppError, issueTexts } from '../../shared/errors.ts'
import { parsePermissions, RIGHTS } from '../access/permissions.ts'
import { ruleIssues } from '../settings/check.ts'
import type { ImportedAccount } from '../users/import-accounts.ts'
import { isHash, NO_PASSWORD } from '../users/password.ts'
import { usernameKey, usernameProblem } from '../users/username.ts'
import { fromPrefixRules } from './prefix-rules.ts'
import { isRecord } from './records.ts'
import type { Generation } from './scopes.ts'

/** Text with an unknown value becomes the nearest known one. */
const orElse = <T extends z.ZodMiniType>(kind: T, other: string) =>
  z.pipe(
    z.transform((value: unknown) => (z.safeParse(kind, value).success ? value : other)),
    kind,
  )
const text = z._default(z.string(), '')
const flag = z._default(z.boolean(), false)
const list = <T extends z.ZodMiniType>(kind: T) => z._default(z.nullable(z.array(kind)), [])

const Stored = z.object({
  id: z.int().check(z.positive()),
  username: z.string(),
  password: z.string(),
  scope: text,
  locale: text,
  lockPassword: flag,
  viewMode: text,
  singleClick: flag,
  redirectAfterCopyMove: flag,
  perm: z.optional(z.unknown()),
  commands: list(z.string()),
  sorting: z._default(z.object({ by: orElse(Sorting.shape.by, 'name'), asc: flag }), { by: 'name', asc: false }),
  rules: list(Rule),
  hideDotfiles: flag,
  dateFormat: flag,
  aceEditorTheme: text,
  disabled: flag,
  webdavDisabled: z.optional(z.boolean()),
})

export interface UserRecords {
  readonly records: readonly ImportedAccount[]
  /** What was left out and does no harm. */
  readonly notes: readonly string[]
  /** Why nothing can be imported. */
  readonly problems: readonly string[]
}

type ScopeReader = (scope: string, generation: Generation) => { scope: string } | { problem: string }

export function readUserRecords(file: unknown, scopeOf: ScopeReader): UserRecords {
  if (!Array.isArray(file)) return { records: [], notes: [], problems: ['the file is no list of accounts'] }
  const records: ImportedAccount[] = []
  const problems: string[] = []
  const converted: string[] = []
  for (const [at, raw] of file.entries()) {
    const read = readRecord(raw, scopeOf)
    if ('issues' in read) problems.push(...read.issues.map((issue) => `${labelOf(raw, at)}: ${issue}`))
    else {
      // 2.17 compared text prefixes.
      const { rules, notes } = generationOf(raw) === 'A' ? fromPrefixRules(read.rules, labelOf(raw, at)) : { rules: read.rules, notes: [] }
      records.push({ ...read, rules })
      converted.push(...notes)
    }
  }
  return { records, notes: [...unknownFields(file), ...converted], problems: [...problems, ...doubles(records)] }
}

function readRecord(raw: unknown, scopeOf: ScopeReader): ImportedAccount | { issues: string[] } {
  const parsed = z.safeParse(Stored, raw)
  if (!parsed.success) return { issues: issueTexts(parsed.error) }
  const { password, perm, scope: stored, viewMode, commands, rules, ...fields } = parsed.data
  const scope = scopeOf(stored, generationOf(raw))
  const problem = usernameProblem(fields.username)
  const rights = rightsIn(perm)
  const issues = [
    ...(problem === null ? [] : [`username: ${problem}`]),
    ...(isHash(password) || password === NO_PASSWORD ? [] : ['password: no hash that is known']),
    ...('problem' in scope ? [`scope: ${scope.problem}`] : []),
    ...('issues' in rights ? rights.issues : []),
    ...ruleIssues(rules ?? [], 'rules'),
  ]
  if (issues.length > 0 || 'problem' in scope || 'issues' in rights) return { issues }
  return {
    ...fields,
    scope: scope.scope,
    viewMode: viewModeFrom(viewMode),
    commands: commands ?? [],
    rules: rules ?? [],
    perm: rights,
    lockPassword: fields.lockPassword && !rights.admin,
    passwordHash: password,
  }
}

/** 2.63 had a third mode, which is nearest to `mosaic`. */
function viewModeFrom(stored: string): ViewMode {
  return stored === '' || stored === 'list' ? 'list' : 'mosaic'
}

/** Fields of 2.63 that 2.17 never wrote. */
function generationOf(raw: unknown): Generation {
  return isRecord(raw) && ['redirectAfterCopyMove', 'dateFormat', 'aceEditorTheme', 'disabled'].some((name) => Object.hasOwn(raw, name))
    ? 'B'
    : 'A'
}

function rightsIn(perm: unknown) {
  try {
    return parsePermissions(perm ?? {})
  } catch (error) {
    if (isAppError(error, 'invalid-input')) return { issues: error.detail.issues }
    throw error
  }
}

/** Names that are equal here, and ids that occur twice. */
function doubles(records: readonly ImportedAccount[]): string[] {
  return records.flatMap((one, at) => {
    const before = records.slice(0, at)
    const same = before.find(({ username }) => usernameKey(username) === usernameKey(one.username))
    return [
      ...(same === undefined ? [] : [`${JSON.stringify(same.username)} and ${JSON.stringify(one.username)} are one name`]),
      ...(before.some(({ id }) => id === one.id) ? [`two accounts have the id ${one.id}`] : []),
    ]
  })
}

function unknownFields(file: readonly unknown[]): string[] {
  const rights: ReadonlySet<string> = new Set(RIGHTS)
  const names = file
    .filter(isRecord)
    .flatMap((record) => [
      ...Object.keys(record).filter((name) => !Object.hasOwn(Stored.shape, name)),
      ...(isRecord(record.perm) ? Object.keys(record.perm).flatMap((name) => (rights.has(name) ? [] : [`perm.${name}`])) : []),
      ...(isRecord(record.sorting)
        ? Object.keys(record.sorting).flatMap((name) => (['by', 'asc'].includes(name) ? [] : [`sorting.${name}`]))
        : []),
      ...(typeof record.viewMode === 'string' && !['', 'list', 'mosaic'].includes(record.viewMode)
        ? [`viewMode ${JSON.stringify(record.viewMode)}`]
        : []),
    ])
  return [...new Set(names)].map((name) => `${name} of the file means nothing here and was left out`)
}

function labelOf(raw: unknown, at: number): string {
  return isRecord(raw) && typeof raw.username === 'string' ? JSON.stringify(raw.username) : `entry ${at + 1}`
}
