import { fileType, SNIFF_BYTES, typeOf } from '../../../shared/file-type.ts'
import { decodeForReading } from '../../../shared/text-content.ts'
import type { DocumentKind } from './document-texts.ts'

/** Bytes needed to detect text. */
export const HEAD_BYTES = 1024

/** Whether a file of that name may contain text at all. */
export function mayHoldText(name: string): boolean {
  const type = fileType(name)
  return type === null || type === 'text'
}

/** By name and first bytes, as in the rest of the server; but with a NUL among them it is not text, whatever the name. */
export function holdsText({ name, size, head }: { name: string; size: number; head: Uint8Array }): boolean {
  if (!mayHoldText(name)) return false
  return isUtf16(head) || (!head.includes(0) && typeOf({ name, size, head: head.subarray(0, SNIFF_BYTES) }) === 'text')
}

/**
 * The text of a file; null if it contains none, or if folding it would be too expensive.
 * @param prefilter called with bytes that are not UTF-16; if false, the text is not needed
 */
export function textIn(name: string, bytes: Uint8Array, prefilter: (bytes: Uint8Array) => boolean = () => true): string | null {
  const head = bytes.subarray(0, HEAD_BYTES)
  if (!holdsText({ name, size: bytes.length, head }) || (!isUtf16(head) && !prefilter(bytes))) return null
  return bearable(decodeForReading(bytes))
}

/**
 * The text of a document, each page of a PDF as one line: its line breaks only show where the line was full. Null if folding it would be too
 * expensive.
 */
export function textOfDocument(bytes: Uint8Array, kind: DocumentKind): string | null {
  const text = new TextDecoder().decode(bytes)
  return bearable(kind === 'pages' ? text.replaceAll('\n', ' ').replaceAll('\f', '\n') : text)
}

function bearable(text: string): string | null {
  return NON_LATIN.test(text) && ENDLESS_LETTER.test(text) ? null : text
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

const NON_LATIN = /[\u0300-\uffff]/
/** Many combining marks on one letter: composing them takes quadratic time. The Stream-Safe Text Format (UAX #15) allows 30. */
const ENDLESS_LETTER = /[\p{M}\u1160-\u11ff]{64}/u
