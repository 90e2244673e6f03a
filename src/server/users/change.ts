import * as z from 'zod/mini'
import { OwnFields, Permissions, Rule, Sorting, type UserChange, ViewMode } from '../../shared/contract/users.ts'
import { fail, issueTexts } from '../../shared/errors.ts'
import { foldKeys } from '../../shared/fold-keys.ts'
import { parsePermissions } from '../access/permissions.ts'
import type { Viewer } from '../access/viewer.ts'
import { ruleIssues } from '../settings/check.ts'
import type { Editable } from './account.ts'

/** Longest text of a preference. */
const preference = z.string().check(z.maxLength(64))
const orElse = <T extends z.ZodMiniType>(kind: T, empty: string) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? empty : value)),
    kind,
  )

const Fields = z.partial(
  z.object({
    username: z.string(),
    password: z.string(),
    scope: z.string().check(z.maxLength(4096)),
    locale: preference,
    lockPassword: z.boolean(),
    viewMode: z.pipe(
      // The third mode of 2.63 is nearest to `mosaic`.
      z.transform((value: unknown) => (value === '' ? 'list' : value === 'mosaic gallery' ? 'mosaic' : value)),
      ViewMode,
    ),
    singleClick: z.boolean(),
    redirectAfterCopyMove: z.boolean(),
    perm: z.unknown(),
    commands: z.nullable(z.array(z.string())),
    sorting: z.object({ by: orElse(Sorting.shape.by, 'name'), asc: z.boolean() }),
    rules: z.nullable(z.array(Rule)),
    hideDotfiles: z.boolean(),
    dateFormat: z.boolean(),
    aceEditorTheme: preference,
    disabled: z.boolean(),
    webdavDisabled: z.boolean(),
  }),
)

/** With the id, which is compared but not written, and with the fields of `perm`. */
const Named = z.extend(Fields, { id: z.unknown(), perm: z.partial(Permissions) })

/** Values of missing fields in a complete record. A missing scope or boolean is kept instead. */
const ZERO = {
  password: '',
  locale: '',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: {},
  commands: [],
  sorting: { by: 'name', asc: false },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

const ALL: ReadonlySet<string> = new Set(Object.keys(Fields.shape))
/** Fields that users may change in their own record; all others are for administrators. */
const OWN: ReadonlySet<string> = new Set([...Object.keys(OwnFields.shape), 'password'])

export interface RequestedChange {
  readonly fields: Partial<Editable>
  /** Null keeps the old one. */
  readonly password: string | null
}

type Envelope = z.infer<typeof UserChange>

/**
 * The requested changes of the record `id`, checked against the viewer. Only the fields in `which` are read from `data`, or all of them if it is
 * empty or `all`. The case of their first letter is ignored (GHSA-hxw8-4h9j-hq2r). Fails with `forbidden` for fields that the viewer may not write,
 * and with `invalid-input` for everything else that is wrong.
 */
export function readChange({ what, which, data: given }: Envelope, id: number, viewer: Viewer): RequestedChange {
  requireUser(what)
  const data = folded(given)
  if (data.id !== undefined && data.id !== id) fail('invalid-input', { issues: ['data.id: is not the id of the address'] })
  const names = [...new Set(which.map(fieldName))]
  const whole = names.length === 0 || names.includes('all')
  const unknown = names.filter((name) => name !== 'all' && !ALL.has(name))
  const administered = whole || names.some((name) => ALL.has(name) && !OWN.has(name))
  if (administered && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  if (unknown.length > 0) fail('invalid-input', { issues: unknown.map((name) => `which: ${JSON.stringify(name)} cannot be changed here`) })
  return whole ? readWhole(data) : parseFields(pick(names, data))
}

/** The record of a new account. Fails with `invalid-input`. */
export function readNew({ what, which, data: given }: Envelope): RequestedChange & { readonly fields: { readonly username: string } } {
  requireUser(what)
  if (which.length > 0) fail('invalid-input', { issues: ['which: must be empty'] })
  return readWhole(folded(given))
}

/** Field names are case-insensitive, as with the predecessor; their values are validated by the names used here. */
function folded(data: Record<string, unknown>): Record<string, unknown> {
  return foldKeys(Named, data) as Record<string, unknown>
}

function requireUser(what: string): void {
  if (what !== 'user') fail('invalid-input', { issues: ['what: must be "user"'] })
}

function readWhole(data: Record<string, unknown>) {
  const { fields, password } = parseFields({ ...ZERO, ...data })
  const { username = fail('invalid-input', { issues: ['data.username: missing'] }) } = fields
  return { fields: { ...fields, username }, password: password === '' ? null : password }
}

function pick(names: readonly string[], data: Record<string, unknown>): Record<string, unknown> {
  const missing = names.filter((name) => !Object.hasOwn(data, name))
  if (missing.length > 0) fail('invalid-input', { issues: missing.map((name) => `data.${name}: missing`) })
  return Object.fromEntries(names.map((name) => [name, data[name]]))
}

function parseFields(given: Record<string, unknown>): RequestedChange {
  const parsed = z.safeParse(Fields, given)
  if (!parsed.success) fail('invalid-input', { issues: issueTexts(parsed.error).map((issue) => `data.${issue}`) })
  const { password = null, perm, commands, rules, ...fields } = parsed.data
  return {
    password,
    fields: {
      ...fields,
      ...(perm !== undefined && { perm: checkedPermissions(perm) }),
      ...(commands !== undefined && { commands: commands ?? [] }),
      ...(rules !== undefined && { rules: checkedRules(rules ?? []) }),
    },
  }
}

function checkedPermissions(input: unknown) {
  const perm = parsePermissions(input)
  if (perm.share && !perm.download && !perm.admin)
    fail('invalid-input', { issues: ['permission to share requires permission to download'] })
  return perm
}

function checkedRules(rules: Rule[]): Rule[] {
  const issues = ruleIssues(rules, 'data.rules')
  return issues.length > 0 ? fail('invalid-input', { issues }) : rules
}

function fieldName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}
