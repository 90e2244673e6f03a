type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** A column with room for at least `length` numbers; grows by a quarter, so that it is seldom copied. */
export function roomFor<T extends Numbers>(column: T, length: number): T {
  if (length <= column.length) return column
  const grown = emptyLike(column, Math.ceil(length * 1.25) + 64)
  grown.set(column)
  return grown
}

export function emptyLike<T extends Numbers>(column: T, length: number): T {
  // The constructor of a column creates columns of its kind.
  const make = column.constructor as new (length: number) => T
  return new make(length)
}
