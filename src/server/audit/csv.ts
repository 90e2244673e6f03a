import type { AuditDetail, AuditEntry } from '../../shared/contract/audit.ts'

/** What a spreadsheet takes for a formula at the beginning of a cell (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r＝＋－＠]/u

export const CSV_HEAD = line(['time', 'kind', 'who', 'address', 'subject', 'details'])

/** One entry as a line of RFC 4180. */
export function csvLine({ time, kind, who, address, subject, details }: AuditEntry): string {
  return line([new Date(time).toISOString(), kind, who, address, subject, details.map(detailText).join('; ')])
}

function detailText({ place, before, after }: AuditDetail): string {
  if (before === null && after === null) return place
  return before === null ? `${place}: ${after}` : `${place}: ${before} → ${after ?? ''}`
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Always in quotes; what looks like a formula gets an apostrophe, which spreadsheets show as text. */
function cell(text: string): string {
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
