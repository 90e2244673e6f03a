import type { Generated } from 'kysely'

/** Limits of what people store, and what is stored now. */
export interface QuotasTable {
  /** `everybody`, `group 7` or `user 7`. */
  subject: string
  /** Null for no limit. */
  max_bytes: number | null
  max_files: number | null
  /** What lies in its folders; null if it was never counted. */
  used_bytes: number | null
  used_files: number | null
  /** Raised by every change that is settled: a count during which it changed does not count. */
  changes: number
  /** JSON: the storage paths of the folders that are counted. */
  folders: string
  /** 1: something happened that nobody counted. */
  stale: number
  counted_at: number | null
  /** The level that was last told by mail, in percent: 0, 80 or 100. */
  told: Generated<number>
}

/** What is announced or being changed, for each quota that it concerns. */
export interface QuotaChangesTable {
  /** Of an upload, its id; what it reserves lives as long as its row in `uploads`. */
  id: string
  subject: string
  /** What is reserved; never negative. */
  bytes: number
  files: number
  /** 1: the disk may have been changed already. */
  publishing: number
  /** The server that is at work; empty for an upload that waits for bytes. */
  server: string
  /** While it works; if it dies, its changes are counted anew after that. */
  until: number
  /** JSON: the storage path of the file that it replaces; empty if that needs no room less. */
  replaces: Generated<string>
  /** What it needs less because it replaces that file. */
  freed_bytes: Generated<number>
}
