export interface TextContent {
  text: string
  /** Whether saving the text would change nothing else: the bytes are UTF-8. */
  faithful: boolean
}

/** The text of a file: UTF-8, or UTF-16 with a byte order mark; other bytes become U+FFFD. A byte order mark is kept, so that saving keeps it. */
export function decodeText(bytes: Uint8Array): TextContent {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), faithful: false }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), faithful: true }
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), faithful: false }
  }
}

/** The same for reading only, such as subtitles and searches: bytes that are not UTF-8 are decoded as windows-1252. */
export function decodeForReading(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}
