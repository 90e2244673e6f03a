import type { AuditDetail } from './contract/audit.ts'
import type { Rule } from './contract/users.ts'
import { changedPlaces } from './changes.ts'

/** Fields with secret values: only the fact that they changed is recorded. */
const SECRET = /(^|\.)password|secret|recaptcha|^auth\./i

export function detailsOf(before: object, after: object): AuditDetail[] {
  return changedPlaces(before, after).map((place) =>
    SECRET.test(place) ? { place, before: null, after: null } : { place, before: textAt(before, place), after: textAt(after, place) },
  )
}

/** Rules as readable text: `deny /private; allow expression \\.txt$`. */
export function rulesText(rules: readonly Rule[]): string {
  return rules
    .map(({ allow, path, regex, regexp }) => `${allow ? 'allow' : 'deny'} ${regex ? `expression ${regexp?.raw ?? ''}` : path}`)
    .join('; ')
}

function textAt(record: unknown, place: string): string | null {
  let value = record
  for (const name of place.split('.')) value = isRecord(value) ? value[name] : undefined
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
