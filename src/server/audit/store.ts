import { type Expression, type Kysely, type Selectable, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { AuditDetail, type AuditEntry, type AuditKind } from '../../shared/contract/audit.ts'
import type { AuditEvent } from '../bus/bus.ts'
import type { AuditTable, Schema } from '../db/schema.ts'

/** All given conditions must hold; an empty one is not given. */
export interface Filter {
  /** Part of a name. */
  readonly who?: string | undefined
  readonly kind?: AuditKind | undefined
  /** Milliseconds since 1970; `until` is exclusive. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Part of any shown field. */
  readonly text?: string | undefined
}

const MOST_CHARS = 300
const MOST_DETAILS = 50
const ERASED_AT_ONCE = 1000
/** The largest id that a PostgreSQL column holds; no trail reaches it. */
const MOST_ID = 2 ** 31 - 1
const Details = z.array(AuditDetail)

export async function insertEntries(
  db: Kysely<Schema>,
  entries: readonly { readonly noted: AuditEvent; readonly at: Date }[],
): Promise<void> {
  const rows = entries.map(({ noted: { kind, by, address, subject = '', details = [] }, at }) => ({
    at: at.getTime(),
    kind,
    user_id: by?.id ?? null,
    who: by?.name ?? '',
    address: address ?? '',
    subject: short(subject),
    details: JSON.stringify(
      [...(by?.token === undefined ? [] : [{ place: 'token', before: null, after: by.token }]), ...details]
        .slice(0, MOST_DETAILS)
        .map(({ place, before, after }) => ({ place, before: short(before), after: short(after) })),
    ),
  }))
  await db.insertInto('audit').values(rows).execute()
}

/** The latest first. */
export async function findEntries(
  db: Kysely<Schema>,
  { who = '', kind, since, until, text = '' }: Filter,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit)
  if (before !== null) query = query.where('id', '<', Math.min(before, MOST_ID))
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  if (who !== '') query = query.where((eb) => holds(eb.ref('who'), who))
  if (text !== '')
    query = query.where((eb) => eb.or((['who', 'address', 'subject', 'details'] as const).map((column) => holds(eb.ref(column), text))))
  return (await query.execute()).map(entryFrom)
}

/**
 * Removes entries older than `until`, and the oldest beyond `most`. Of what somebody can cause as often as they like, each kind may take up only a
 * part of that: guesses, or many small removals, must not push out what administrators did.
 */
export async function removeOld(db: Kysely<Schema>, { until, most }: { until: number; most: number }): Promise<void> {
  await db.deleteFrom('audit').where('at', '<=', until).execute()
  await removeBeyond(db, { kind: 'sign-in-failed', most: Math.floor(most / 4) })
  for (const kind of ['trash-removed', 'trash-emptied', 'version-removed'] as const)
    await removeBeyond(db, { kind, most: Math.floor(most / 8) })
  await removeBeyond(db, { kind: null, most })
}

/** Empties the addresses of all entries, some at a time. */
export async function eraseAddresses(db: Kysely<Schema>): Promise<void> {
  for (;;) {
    const rows = await db.selectFrom('audit').select('id').where('address', '<>', '').limit(ERASED_AT_ONCE).execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await db.updateTable('audit').set({ address: '' }).where('id', 'in', ids).execute()
    if (ids.length < ERASED_AT_ONCE) return
  }
}

async function removeBeyond(db: Kysely<Schema>, { kind, most }: { kind: AuditKind | null; most: number }): Promise<void> {
  const ofKind = kind === null ? sql<SqlBool>`true` : sql<SqlBool>`kind = ${kind}`
  const first = await db.selectFrom('audit').select('id').where(ofKind).orderBy('id', 'desc').offset(most).limit(1).executeTakeFirst()
  if (first !== undefined) await db.deleteFrom('audit').where('id', '<=', first.id).where(ofKind).execute()
}

/** Case-insensitive; no character in `part` is a wildcard. */
function holds(column: Expression<string>, part: string): Expression<SqlBool> {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`
}

function entryFrom({ id, at, kind, who, address, subject, details }: Selectable<AuditTable>): AuditEntry {
  return { id, time: at, kind, who, address, subject, details: Details.parse(JSON.parse(details)) }
}

function short<T extends string | null>(text: T): T | string {
  return text !== null && text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text
}
