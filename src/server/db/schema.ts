import type { Generated } from 'kysely'

/** Every table. Times are milliseconds since 1970, flags 0 or 1, lists and records JSON text: the same on SQLite and PostgreSQL. */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  settings: SettingsTable
  uploads: UploadsTable
  shares: SharesTable
  share_tickets: ShareTicketsTable
  share_downloads: ShareDownloadsTable
  share_visits: ShareVisitsTable
  jobs: JobsTable
  checksums: ChecksumsTable
  audit: AuditTable
  webhooks: WebhooksTable
  favourites: FavouritesTable
  recents: RecentsTable
  recents_off: RecentsOffTable
}

export interface UsersTable {
  id: Generated<number>
  username: string
  /** NFKC and lower case: two people may not differ by spelling only (invariant I9). */
  username_key: string
  password_hash: string
  scope: string
  locale: string
  lock_password: number
  view_mode: string
  single_click: number
  redirect_after_copy_move: number
  hide_dotfiles: number
  date_format: number
  ace_editor_theme: string
  sorting: string
  perm: string
  commands: string
  rules: string
  disabled: number
  /** Raised by everything that must end all sessions at once; a session of an older epoch is dead. */
  auth_epoch: number
  /** Raised by every change of the record, so that clients are told to renew. */
  version: number
  created_at: number
}

export interface SessionsTable {
  id: string
  /** SHA-256 of the token's last part, hex. */
  key_hash: string
  /** SHA-256 of the cookie that must come with the token; null for clients that are not our web. */
  cookie_hash: string | null
  /** All rotations of one sign-in share it. */
  family: string
  user_id: number
  auth_epoch: number
  /** The user's version that the client has seen. */
  user_version: number
  created_at: number
  last_seen_at: number
  idle_ms: number
  expires_at: number
  proven_at: number
  ip: string
  user_agent: string
  revoked_at: number | null
  replaced_at: number | null
  /** 1: its client reads a search line by line. */
  search_lines: Generated<number>
}

export interface SettingsTable {
  key: string
  value: string
}

export interface UploadsTable {
  id: string
  user_id: number
  path: string
  /** Bytes. */
  length: number
  /** The client's own description of the file (Upload-Metadata): another file of the same length is another upload. */
  stamp: string
  replace: number
  created_at: number
  touched_at: number
  lease: string | null
  lease_until: number
  /** The link through which a visitor sends it; empty for a person's own. */
  share: Generated<string>
  /** What its client calls it, among those of one path. */
  key: Generated<string>
  /** That announced it. */
  session: Generated<string>
  /** Bytes that survive a power cut; null where an older program staged them. */
  durable: number | null
  /** Raised when a writer is followed by another one without having let go: each stages under a name of its own. */
  generation: Generated<number>
}

export interface SharesTable {
  /** The link: eight characters. */
  hash: string
  user_id: number
  /** From the storage's root, links resolved: kept in step with renames made through the product. */
  place: string
  /** Of the shared node: whatever else turns up at its place is not what was shared. */
  identity: string
  folder: number
  /** Seconds since 1970; 0 for ever. */
  expire: number
  password_hash: string | null
  /** A ticket is good for the password it was given for. */
  password_version: number
  created_at: number
  /** Another name of the link, as it was typed; unique whatever the case; empty where there is none. */
  slug: Generated<string>
  title: Generated<string>
  message: Generated<string>
  rights: Generated<string>
  /** Seconds since 1970; 0 for at once. */
  starts: Generated<number>
  /** 0 for as many as there come. */
  max_downloads: Generated<number>
  /** Those begun and not given back. */
  downloads: Generated<number>
  /** Bytes of downloads that were given back; a whole download's worth of them costs one after all. */
  spilled: Generated<number>
  log_visits: Generated<number>
  /** Of a drop box: suffixes, comma-separated; empty for all. */
  drop_types: Generated<string>
  /** Bytes and counts; 0 where there is no limit. */
  drop_max_file: Generated<number>
  drop_max_files: Generated<number>
  drop_max_bytes: Generated<number>
  /** What came in so far. */
  drop_files: Generated<number>
  drop_bytes: Generated<number>
  /** Raised by every change of its terms: who changes an older one changes nothing. */
  version: Generated<number>
  /** What tickets of visitors are sealed with. */
  ticket_key: Generated<string>
}

export interface ShareTicketsTable {
  /** SHA-256 of the ticket, hex. */
  key_hash: string
  share: string
  password_version: number
  expires_at: number
}

/** What a visitor has taken of a limited link: further ranges of it are free until then. */
export interface ShareDownloadsTable {
  share: string
  /** SHA-256 of the ticket and, after a dash, of the ETag, hex. */
  key_hash: string
  /** Answers of it that are on their way. */
  running: number
  /** One of them came to its end: it stays counted. */
  kept: number
  expires_at: number
}

/** What came of a link. */
export interface ShareVisitsTable {
  id: string
  share: string
  at: number
  kind: string
  /** Empty where the owner does not want to know. */
  address: string
  path: string
  /** As the sender of an upload signed it. */
  sender: string
  note: string
}

export interface JobsTable {
  id: string
  kind: string
  /** What is to be done, as its kind wrote it: JSON. */
  task: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'
  attempts: number
  due_at: number
  /** While it runs: somebody who died with it loses it then. */
  lease_until: number
  /** What it said, for people. */
  report: string
  created_at: number
  ended_at: number | null
  /** Whose it is; null for the house’s own. */
  user_id: number | null
}

/** CRC-32 of files, for archives. */
export interface ChecksumsTable {
  identity: string
  size: number
  modified: number
  /** A list of `[first piece, end, CRC-32]`. */
  spans: string
  used_at: number
}

/** What an administrator may look up later. Nothing here points to a row elsewhere: it stays as it was written. */
export interface AuditTable {
  id: Generated<number>
  at: number
  kind: string
  user_id: number | null
  who: string
  address: string
  subject: string
  /** A list of `{place, before, after}`. */
  details: string
}

export interface WebhooksTable {
  id: string
  url: string
  /** JSON: a list. */
  events: string
  /** What deliveries are signed with; it must be known as it is. */
  secret: string
  enabled: number
  created_at: number
}

/** What somebody marked with a star. */
export interface FavouritesTable {
  user_id: number
  /** From the storage's root, the links on the way resolved, its own not: kept in step with renames made through the product. */
  place: string
  /** Their own order, the smallest first. */
  rank: number
}

/** Files that somebody opened, edited or uploaded: one row for each, of its last time. */
export interface RecentsTable {
  user_id: number
  /** As that of a favourite. */
  place: string
  at: number
  how: string
}

/** Whoever is here wants no list of recent files. */
export interface RecentsOffTable {
  user_id: number
}
