/** Messages between the unpacking program and the server; frames as in `programs/frames.ts`. */

export type EntryKind = 'file' | 'folder' | 'link' | 'special'

/** An entry as its archive describes it; untrusted. */
export interface EntryHead {
  /** Empty for the only content of a compressed file that is not an archive. */
  readonly name: string
  readonly kind: EntryKind
  /** Bytes, if the archive says it in advance. */
  readonly size: number | null
  /** Milliseconds since 1970. */
  readonly modified: number | null
}

export type Problem = 'unknown' | 'damaged' | 'encrypted' | 'overlapping'

/** `read` returns every entry and, unless only one is requested, all their bytes. */
export type Order = { readonly what: 'list' } | { readonly what: 'read'; readonly only: number | null }

/**
 * When reading, each entry is followed by its chunks (bytes after their head) and an end. The last message is `over` or a problem; a program that
 * ends without either has crashed.
 */
export type Message =
  | { readonly entry: EntryHead }
  /** `read`: bytes of the archive read so far. */
  | { readonly chunk: number; readonly read: number }
  | { readonly end: true }
  | { readonly over: true }
  | { readonly problem: Problem }
