/** A copy of a record with `value` at `path` (`perm.admin`); missing records on the way are created. */
export function withValue(record: Readonly<Record<string, unknown>>, path: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path.split('.')
  return { ...record, [head]: rest.length === 0 ? value : withValue(recordOr(record[head]), rest.join('.'), value) }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function recordOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
