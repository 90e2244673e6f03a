/** What the unpacking program and the server say to each other; frames as in `programs/frames.ts`. */

export type EntryKind = 'file' | 'folder' | 'link' | 'special'

/** An entry as its archive has it: nothing about it is to be believed. */
export interface EntryHead {
  /** Empty for the only content of a file that is compressed and no archive. */
  readonly name: string
  readonly kind: EntryKind
  /** Bytes, where the archive says it beforehand. */
  readonly size: number | null
  /** Milliseconds since 1970. */
  readonly modified: number | null
}

/** Why an archive cannot be read. */
export type Problem = 'unknown' | 'damaged' | 'encrypted' | 'overlapping'

/** `read` tells every entry and, unless only one is wanted, all their bytes. */
export type Order = { readonly what: 'list' } | { readonly what: 'read'; readonly only: number | null }

/**
 * Each entry is followed, where it is read, by its chunks (the bytes come after their head) and an end. The last message is `over` or a
 * problem; a program that ends without either has fallen.
 */
export type Message =
  | { readonly entry: EntryHead }
  /** `read`: bytes of the archive read so far. */
  | { readonly chunk: number; readonly read: number }
  | { readonly end: true }
  | { readonly over: true }
  | { readonly problem: Problem }
