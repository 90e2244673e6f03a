import { bytesToName } from '../../shared/file-path.ts'
import type { NameBytes } from '../../shared/packed-names.ts'

const DOT = 46
/** Extensions of up to this many bytes are cached, by their bytes as one number. */
const MOST_BYTES = 6
const MOST_REMEMBERED = 1000

/** The extension of each name as `extensionOf` gives it; strings of short ones are cached. */
export function extensionsOf({ bytes, starts }: NameBytes): (index: number) => string {
  const remembered = new Map<number, string>()

  function textOf(from: number, to: number): string {
    const text = bytesToName(bytes.subarray(from, to))
    if (to - from > MOST_BYTES) return text
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(numberOf(from, to), text)
    return text
  }

  function numberOf(from: number, to: number): number {
    let number = 0
    for (let at = from; at < to; at++) number = number * 0x100 + (bytes[at] ?? 0)
    return number
  }

  return (index) => {
    const start = starts[index] ?? 0
    const end = (starts[index + 1] ?? 1) - 1
    let dot = end - 1
    while (dot >= start && bytes[dot] !== DOT) dot--
    if (dot < start) return ''
    return (end - dot <= MOST_BYTES ? remembered.get(numberOf(dot, end)) : undefined) ?? textOf(dot, end)
  }
}
