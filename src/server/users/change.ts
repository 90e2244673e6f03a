import * as z from 'zod/mini'
import { OwnFields, type UserChange } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'

const OWN: ReadonlySet<string> = new Set(Object.keys(OwnFields.shape))

/** Only administrators write these, to whatever value. */
const ADMINISTERED: ReadonlySet<string> = new Set(['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules'])

/**
 * What an envelope asks to change of the record `id`, checked against who asks (contract reference 1.19).
 * Only what `which` names is read from `data`. Names match whatever the case of their first letter (GHSA-hxw8-4h9j-hq2r).
 * Fails with `forbidden` for fields that the viewer may not write and with `invalid-input` for everything that is no such change.
 */
export function readChange({ what, which, data }: z.infer<typeof UserChange>, id: number, viewer: Viewer): OwnFields {
  if (what !== 'user') fail('invalid-input', { issues: ['what: must be "user"'] })
  if (data.id !== undefined && data.id !== id) fail('invalid-input', { issues: ['data.id: is not the id of the address'] })
  const names = new Set(which.map(fieldName))
  const whole = names.size === 0 || names.has('all')
  const administered = [...names].filter((name) => ADMINISTERED.has(name))
  if (!viewer.access.may.admin && (whole || administered.length > 0)) fail('forbidden', { right: 'admin' })
  if (whole) fail('invalid-input', { issues: ['which: name the fields to change'] })
  const refused = [...names].filter((name) => !OWN.has(name))
  if (refused.length > 0) fail('invalid-input', { issues: refused.map((name) => `which: ${JSON.stringify(name)} cannot be changed here`) })
  return pick(names, data)
}

function pick(names: ReadonlySet<string>, data: Record<string, unknown>): OwnFields {
  const missing = [...names].filter((name) => !Object.hasOwn(data, name) || data[name] === undefined)
  if (missing.length > 0) fail('invalid-input', { issues: missing.map((name) => `data.${name}: missing`) })
  const parsed = z.safeParse(OwnFields, Object.fromEntries([...names].map((name) => [name, data[name]])))
  if (parsed.success) return parsed.data
  return fail('invalid-input', { issues: parsed.error.issues.map((issue) => `data.${issue.path.map(String).join('.')}: ${issue.message}`) })
}

function fieldName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}
