import { naturalKey } from '../../shared/natural-order.ts'

/** Places of the names in their natural order, folders before files. Whole strings sort several times faster than a comparing function; each ends with its place. */
export function orderOfNames(names: readonly string[], folders: Uint8Array): Uint32Array<ArrayBuffer> {
  const keys = names.map((name, at) => `${folders[at] ? 0 : 1}${naturalKey(name)}\0${name}\0${at}`)
  return Uint32Array.from(keys.toSorted(), (key) => Number(key.slice(key.lastIndexOf('\0') + 1)))
}
