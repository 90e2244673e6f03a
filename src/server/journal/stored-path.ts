import type { FilePath } from '../../shared/file-path.ts'

/** The column holds text, and names may not be UTF-8: such a path is stored as JSON, which escapes single surrogates. Other paths begin with a slash. */
export function toStored(path: FilePath): string {
  return path.isWellFormed() ? path : JSON.stringify(path)
}

export function fromStored(stored: string): FilePath {
  // Written from a FilePath, by `toStored` only.
  return (stored.startsWith('"') ? JSON.parse(stored) : stored) as FilePath
}

/** What of a name is compared in searches. */
export function searchable(name: string): string {
  return name.toWellFormed().normalize('NFC').toLowerCase()
}
