/** Numbers of many entries, in a typed array. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** Grows a column to at least `length` numbers, and by half at a time, so that it is rarely copied. */
export function grown<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column
  const larger = columnLike(column, Math.ceil(length * 1.5))
  larger.set(column)
  return larger
}

/** The same numbers in shared memory, passed to other threads without a copy. They must not change any more. */
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
