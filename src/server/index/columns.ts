type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** Room for at least `length` numbers, with those it had; a quarter more than asked for, so that it seldom moves. */
export function roomFor<T extends Numbers>(column: T, length: number): T {
  if (length <= column.length) return column
  const grown = emptyLike(column, Math.ceil(length * 1.25) + 64)
  grown.set(column)
  return grown
}

export function emptyLike<T extends Numbers>(column: T, length: number): T {
  // The constructor of a column makes columns of its kind.
  const make = column.constructor as new (length: number) => T
  return new make(length)
}
