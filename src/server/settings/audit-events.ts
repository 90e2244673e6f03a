import { detailsOf, rulesText } from '../../shared/audit-details.ts'
import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import type { AuditEvent } from '../bus/bus.ts'
import type { ChangedBy, Settings } from './settings.ts'

/** The audit events of a change of settings: hooks, rules and everything else, separately. */
export function auditEventsOf(before: Settings, after: Settings, { id, name, address }: ChangedBy): AuditEvent[] {
  const parts: [AuditKind, AuditDetail[]][] = [
    ['hooks-changed', hookDetails(before, after)],
    ['rules-changed', detailsOf({ rules: rulesText(before.rules) }, { rules: rulesText(after.rules) })],
    ['settings-changed', detailsOf(restOf(before), restOf(after))],
  ]
  return parts.flatMap(([kind, details]) => (details.length === 0 ? [] : [{ kind, by: { id, name }, address, details }]))
}

/** Hook commands may contain keys of other services: only their number is recorded. */
function hookDetails(before: Settings, after: Settings): AuditDetail[] {
  const changed = new Set(detailsOf(before.commands, after.commands).map(({ place }) => place))
  const counts = (settings: Settings) => Object.entries(settings.commands).map(([event, lines]) => [event, lines.length] as const)
  const old = new Map(counts(before))
  return counts(after).flatMap(([event, now]) =>
    changed.has(event) ? [{ place: `commands.${event}`, before: String(old.get(event) ?? 0), after: String(now) }] : [],
  )
}

/** Without fields that have events of their own. */
function restOf({ commands: _commands, rules: _rules, ...rest }: Settings): Omit<Settings, 'commands' | 'rules'> {
  return rest
}
