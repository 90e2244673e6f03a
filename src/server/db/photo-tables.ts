/** What photos and films say about themselves: a cache, one row per file. */
export interface PhotoFactsTable {
  identity: string
  size: number
  modified: number
  /** The version of the reader: what an older one has read is read again. */
  reader: number
  /** Milliseconds by the clock of the camera; null if the file does not tell. */
  taken: number | null
  /** Minutes. */
  taken_offset: number | null
  /** As shown; 0 if not known. */
  width: number
  height: number
  latitude: number | null
  longitude: number | null
  /** JSON: all facts. */
  facts: string
  used_at: number
}
