import type { KeyName } from './settings-table.ts'

/** A value as written, and where. */
export interface Candidate {
  readonly from: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, the variable or the file. */
  readonly name: string
  readonly text: string
}

export type Given = ReadonlyMap<KeyName, Candidate>

/** What loading needs from the file system. */
export interface Files {
  /** The text of a file; null if there is none. */
  read(path: string): string | null
  /** The path without links, as far as it exists. */
  realPath(path: string): string
}
