import { grown } from '../../shared/column.ts'
import { bytesToName, letterLength } from '../../shared/file-path.ts'
import type { NameBytes } from '../../shared/packed-names.ts'

const encoder = new TextEncoder()
const MOST_UNIT_BYTES = 3

/** Writes text piece by piece as UTF-8, without building a long string first. */
export type TextSink = ReturnType<typeof createTextSink>

/** @param expected number of bytes */
export function createTextSink(expected: number) {
  let buffer = new Uint8Array(expected)
  let end = 0

  function write(text: string): void {
    buffer = grown(buffer, end + MOST_UNIT_BYTES * text.length)
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= 0x80) {
        end += encoder.encodeInto(at === 0 ? text : text.slice(at), buffer.subarray(end)).written
        return
      }
      buffer[end++] = unit
    }
  }

  function copy(from: Uint8Array, start: number, behind: number): void {
    buffer = grown(buffer, end + behind - start)
    for (let at = start; at < behind; at++) buffer[end++] = from[at] ?? 0
  }

  return {
    text: write,
    bytes: (from: Uint8Array): void => copy(from, 0, from.length),
    /** A name as the content of a JSON string; copies its bytes if no escapes are needed. */
    name({ bytes, starts }: NameBytes, index: number): void {
      const from = starts[index] ?? 0
      const to = (starts[index + 1] ?? 1) - 1
      if (isJson(bytes, from, to)) copy(bytes, from, to)
      else write(JSON.stringify(bytesToName(bytes.subarray(from, to))).slice(1, -1))
    },
    end: (): Uint8Array<ArrayBuffer> => buffer.slice(0, end),
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTED = 0x20

/** Whether a name needs no escapes. Surrogates for bytes that are not UTF-8 are escaped, so that they reach the client. */
function isJson(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to;) {
    const byte = bytes[at] ?? 0
    if (byte < FIRST_PRINTED || byte === QUOTE || byte === BACKSLASH) return false
    const length = byte < 0x80 ? 1 : letterLength(bytes, at)
    if (length === 0) return false
    at += length
  }
  return true
}
