import { audit as calls, type AuditEntry, type AuditDetail } from '../../shared/contract/audit.ts'
import { performerOf } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { respondStreamed } from '../http/bytes.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Filter } from './store.ts'
import type { Trail } from './trail.ts'

const PAGE = 50
const MOST = 500
/** Characters of an export that are sent at a time. */
const SENT_CHARS = 64 * 1024
/** So that spreadsheets read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** What a spreadsheet takes for a formula at the beginning of a cell (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r＝＋－＠]/u
const CSV_HEAD = csvRow(['time', 'kind', 'who', 'address', 'subject', 'details'])

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8', head: BYTE_ORDER_MARK + CSV_HEAD, line: csvLine },
  jsonl: { type: 'application/x-ndjson', head: '', line: (entry: AuditEntry) => `${JSON.stringify(asRecord(entry))}\n` },
}

export function mountAudit(app: Router, { trail, bus, clock }: { trail: Trail; bus: Bus; clock: () => Date }): void {
  mount(app, calls.list, async ({ query: { before, limit, ...filter } }) => {
    await trail.settled()
    const options = { before: before === undefined ? null : Number(before), limit: Math.min(MOST, Math.max(1, Number(limit ?? PAGE))) }
    return trail.page(filterFrom(filter), options)
  })

  mount(app, calls.export, async ({ query: { format, ...filter }, viewer, peer }) => {
    bus.announce('noted', { kind: 'trail-exported', by: performerOf(viewer), address: peer, subject: format })
    const { type, head, line } = FORMATS[format]
    const name = `activity-${clock().toISOString().slice(0, 10)}.${format}`
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' }
    return respondStreamed(textOf(head, trail.all(filterFrom(filter)), line), { close: async () => undefined, headers })
  })
}

interface WireFilter extends Omit<Filter, 'since' | 'until'> {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

function filterFrom({ since, until, ...rest }: WireFilter): Filter {
  return { ...rest, since: since === undefined ? undefined : Number(since), until: until === undefined ? undefined : Number(until) }
}

/** Reads as many entries as are requested: a long trail is never completely in memory. */
async function* textOf(
  head: string,
  entries: AsyncIterable<AuditEntry>,
  line: (entry: AuditEntry) => string,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let waiting = head
  for await (const entry of entries) {
    waiting += line(entry)
    if (waiting.length < SENT_CHARS) continue
    yield encoder.encode(waiting)
    waiting = ''
  }
  yield encoder.encode(waiting)
}

function asRecord({ time, ...entry }: AuditEntry): Record<string, unknown> {
  return { time: new Date(time).toISOString(), ...entry }
}

/** One entry as a line of RFC 4180. */
export function csvLine({ time, kind, who, address, subject, details }: AuditEntry): string {
  return csvRow([new Date(time).toISOString(), kind, who, address, subject, details.map(detailText).join('; ')])
}

function detailText({ place, before, after }: AuditDetail): string {
  if (before === null && after === null) return place
  return before === null ? `${place}: ${after}` : `${place}: ${before} → ${after ?? ''}`
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Always in quotes; what looks like a formula gets an apostrophe, which spreadsheets show as text. */
function cell(text: string): string {
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
