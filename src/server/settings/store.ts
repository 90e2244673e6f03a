import type { Kysely } from 'kysely'
import type { Bus, AuditEvent } from '../bus/bus.ts'
import { externalWrites, inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { type ChangedBy, Settings, type SettingsReader } from './settings.ts'
import { detailsOf, rulesText } from '../../shared/audit-details.ts'
import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'

export interface SettingsStore extends SettingsReader {
  /** Changes them in one transaction, based on the current values; the next `read` in this process returns them. */
  change(update: (before: Settings) => Settings, by?: ChangedBy): Promise<void>
}

/** A change by another process of this machine is noticed at once; by another machine, whose message was lost, after this long. */
const KEPT_MS = 10_000

export function createSettings({ db, bus, clock }: { db: Kysely<Schema>; bus: Bus; clock: () => Date }): SettingsStore {
  let kept: { settings: Settings; stored: string | null; until: number; elsewhere: number } | null = null
  // Counts changes, so that a read that started before one is not cached.
  let changes = 0
  bus.on('settings.changed', () => {
    changes += 1
    kept = null
  })

  function readNow(elsewhere: number): Settings | null {
    return kept !== null && clock().getTime() < kept.until && kept.elsewhere === elsewhere ? kept.settings : null
  }

  return {
    readNow,

    async read(elsewhere = externalWrites(db)) {
      const current = readNow(elsewhere)
      if (current !== null) return current
      const now = clock().getTime()
      const before = changes
      const stored = await loadSetting(db, 'settings')
      const settings = kept !== null && kept.stored === stored ? kept.settings : Settings.parse(JSON.parse(stored ?? '{}'))
      if (before === changes) kept = { settings, stored, until: now + KEPT_MS, elsewhere }
      return settings
    },

    async change(update, by) {
      const [old, fresh] = await inTransaction(db, async (trx) => {
        const before = Settings.parse(JSON.parse((await loadSetting(trx, 'settings')) ?? '{}'))
        const after = update(before)
        await saveSetting(trx, 'settings', JSON.stringify(after))
        return [before, after] as const
      })
      bus.announce('settings.changed', {})
      if (by !== undefined) for (const noted of auditEventsOf(old, fresh, by)) bus.announce('noted', noted)
    },
  }
}

/** The JSON text of a key; null if nothing was ever stored. */
export async function loadSetting(db: Kysely<Schema>, key: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? null
}

export async function saveSetting(db: Kysely<Schema>, key: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The audit events of a change of settings: hooks, rules and everything else, separately. */
function auditEventsOf(before: Settings, after: Settings, { address, ...by }: ChangedBy): AuditEvent[] {
  const parts: [AuditKind, AuditDetail[]][] = [
    ['hooks-changed', hookDetails(before, after)],
    ['rules-changed', detailsOf({ rules: rulesText(before.rules) }, { rules: rulesText(after.rules) })],
    ['settings-changed', detailsOf(restOf(before), restOf(after))],
  ]
  return parts.flatMap(([kind, details]) => (details.length === 0 ? [] : [{ kind, by, address, details }]))
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
