/** Numbers of many entries, one after the other. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** Room for at least `length` numbers, with those it had; half as much again, so that it seldom moves. */
export function grown<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column
  const larger = columnLike(column, Math.ceil(length * 1.5))
  larger.set(column)
  return larger
}

/** The same numbers where all threads of the process see them: they cross without a copy. Nobody changes them from then on. */
export function shared<T extends Column>(column: T): T {
  if (column.buffer instanceof SharedArrayBuffer) return column
  const copy = columnLike(column, new SharedArrayBuffer(column.byteLength))
  copy.set(column)
  return copy
}

function columnLike<T extends Column>(column: T, from: number | SharedArrayBuffer): T {
  // The constructor of a column makes columns of its kind.
  const make = column.constructor as new (from: number | SharedArrayBuffer) => T
  return new make(from)
}
