import type { DavLocksTable, DavOverwritesTable, DavPropertiesTable } from './dav-tables.ts'
import type { RootsTable } from './root-tables.ts'
import type { LoginFlowsTable, UploadPiecesTable } from './sync-tables.ts'
import type { GrantsTable, GroupsTable, MembershipsTable } from './group-tables.ts'
import type { ViewingsTable } from './viewing-tables.ts'
import type { Generated } from 'kysely'
import type { ArrivalsTable, KnownDevicesTable, MailChoicesTable } from './notice-tables.ts'
import type { PhotoFactsTable } from './photo-tables.ts'
import type { GuessCountsTable } from './guess-tables.ts'
import type { JobsTable } from './job-tables.ts'
import type { QuotaChangesTable, QuotasTable } from './quota-tables.ts'
import type {
  AccountLinksTable,
  ProviderSessionsTable,
  SignInFlowsTable,
  SignInLinksTable,
  SignInProvidersTable,
  SpentTokensTable,
} from './provider-tables.ts'
import type {
  ApiTokensTable,
  RecoveryCodesTable,
  SecondFactorsTable,
  SessionsTable,
  SignInTicketsTable,
  TrustedDevicesTable,
} from './sign-in-tables.ts'

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
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  trusted_devices: TrustedDevicesTable
  sign_in_tickets: SignInTicketsTable
  operations: OperationsTable
  operations_open: OpenOperationsTable
  versions: VersionsTable
  outside_changes: OutsideChangesTable
  mail_addresses: MailAddressesTable
  password_links: PasswordLinksTable
  api_tokens: ApiTokensTable
  groups: GroupsTable
  memberships: MembershipsTable
  grants: GrantsTable
  quotas: QuotasTable
  quota_changes: QuotaChangesTable
  sign_in_providers: SignInProvidersTable
  account_links: AccountLinksTable
  sign_in_flows: SignInFlowsTable
  provider_sessions: ProviderSessionsTable
  spent_tokens: SpentTokensTable
  sign_in_links: SignInLinksTable
  viewings: ViewingsTable
  mail_choices: MailChoicesTable
  arrivals: ArrivalsTable
  known_devices: KnownDevicesTable
  upload_pieces: UploadPiecesTable
  login_flows: LoginFlowsTable
  dav_locks: DavLocksTable
  dav_overwrites: DavOverwritesTable
  dav_properties: DavPropertiesTable
  roots: RootsTable
  guess_counts: GuessCountsTable
  photo_facts: PhotoFactsTable
}

export interface UsersTable {
  id: Generated<number>
  username: string
  /** NFKC and lower case: two users may not differ only in spelling (invariant I9). */
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
  /** Raised by everything that ends all sessions; a session of an older epoch has ended. */
  auth_epoch: number
  /** Raised by every change of the record, so that clients renew their copy. */
  version: number
  created_at: number
  /** 1: an authenticator app or a passkey is set up; kept in step with `second_factors`. */
  second_factor: Generated<number>
  /** 1: all providers through which they sign in ask for a second factor themselves. */
  factor_elsewhere: Generated<number>
  /** 1: does not reach files by WebDAV. */
  webdav_disabled: Generated<number>
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
  /** The client's description of the file (Upload-Metadata): another file of the same length is another upload. */
  stamp: string
  replace: number
  created_at: number
  touched_at: number
  lease: string | null
  lease_until: number
  /** The link that a visitor uploads through; empty for a user's own upload. */
  share: Generated<string>
  /** The client's name for it, among the uploads to one path. */
  key: Generated<string>
  /** The session that announced it. */
  session: Generated<string>
  /** Bytes that survive a power cut; null if an older version staged them. */
  durable: number | null
  /** Raised when a writer takes over from one that never released it: each stages under its own name. */
  generation: Generated<number>
}

export interface SharesTable {
  /** The link's name in its address: eight characters. */
  hash: string
  user_id: number
  /** Storage path, links resolved; updated by renames through the server. */
  place: string
  /** Identity of the shared node: another node at its path is not what was shared. */
  identity: string
  folder: number
  /** Seconds since 1970; 0 for never. */
  expire: number
  password_hash: string | null
  /** A ticket is valid for the password it was issued for. */
  password_version: number
  created_at: number
  /** Another name of the link, as typed; unique regardless of case; empty if there is none. */
  slug: Generated<string>
  title: Generated<string>
  message: Generated<string>
  rights: Generated<string>
  /** Seconds since 1970; 0 for immediately. */
  starts: Generated<number>
  /** 0 for unlimited. */
  max_downloads: Generated<number>
  /** Downloads that were started and not given back. */
  downloads: Generated<number>
  /** Bytes of downloads that were given back; when they add up to a whole download, one is counted after all. */
  spilled: Generated<number>
  log_visits: Generated<number>
  /** For a drop box: suffixes, comma-separated; empty for all. */
  drop_types: Generated<string>
  /** Bytes and counts; 0 for no limit. */
  drop_max_file: Generated<number>
  drop_max_files: Generated<number>
  drop_max_bytes: Generated<number>
  /** What has been uploaded so far. */
  drop_files: Generated<number>
  drop_bytes: Generated<number>
  /** Raised by every change of its terms; a change of an older version is not applied. */
  version: Generated<number>
  /** Key for the seals of visitors' tickets. */
  ticket_key: Generated<string>
  /** The deletion that moved its node to the trash: until it is restored, the link has ended. Empty if it is not there. */
  trashed: Generated<string>
  /** `user 5` or `group 3` for a share with people; empty for a link. */
  recipient: Generated<string>
  /** What recipients may do; empty for a link. */
  role: Generated<string>
}

export interface ShareTicketsTable {
  /** SHA-256 of the ticket, in hex. */
  key_hash: string
  share: string
  password_version: number
  expires_at: number
}

/** What a visitor has downloaded from a limited link: further ranges of it are free until then. */
export interface ShareDownloadsTable {
  share: string
  /** SHA-256 of the ticket and, after a dash, of the ETag, in hex. */
  key_hash: string
  /** Responses for it in progress. */
  running: number
  /** One of them completed: the download stays counted. */
  kept: number
  expires_at: number
}

/** Visits, downloads and uploads of a link. */
export interface ShareVisitsTable {
  id: string
  share: string
  at: number
  kind: string
  /** Empty if the owner does not record addresses. */
  address: string
  path: string
  /** The sender's name for an upload. */
  sender: string
  note: string
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

/** The audit trail. Nothing here refers to other rows: entries stay as they were written. */
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
  /** JSON list. */
  events: string
  /** Signs deliveries, so it is stored as it is. */
  secret: string
  enabled: number
  created_at: number
}

/** Nodes that users marked with a star. */
export interface FavouritesTable {
  user_id: number
  /** Storage path; links on the way are resolved, the last segment is not. Updated by renames through the server. */
  place: string
  /** Each user's own order, ascending. */
  rank: number
}

/** Files that somebody opened, edited or uploaded: one row per file, with its last use. */
export interface RecentsTable {
  user_id: number
  /** As for favourites. */
  place: string
  at: number
  how: string
}

/** Users who want no list of recent files. */
export interface RecentsOffTable {
  user_id: number
}

/** The journal: what was done to nodes. A row is written before the disk is touched, and settled afterwards. */
export interface OperationsTable {
  /** UUIDv7: later operations have higher ids. */
  id: string
  /** One gesture of a person. */
  group_id: string
  at: number
  /** 0 for the server itself, and for an account that has been deleted. */
  user_id: number
  /** At that time. */
  user_name: string
  /** `OperationWay`. */
  via: string
  /** `OperationKind`. */
  kind: string
  /** Storage path, links resolved, as `journal/stored-path.ts` writes it: where the node is after the operation; of a deletion, where it was. */
  path: string
  /** Of moves, where the node was; of copies, what was copied; in the same form. */
  origin: string | null
  /** The last segment of the path, for searches: NFC and lower case. */
  name: string
  /** Of the path, in the same form. */
  parent: string
  identity: string
  folder: number
  /** Bytes, of a deleted folder with everything below it; null if not counted, or not known yet. */
  size: number | null
  /** Of the content that a file had afterwards; milliseconds since 1970. Null for folders, deletions, and if not known yet. */
  modified: number | null
  /** The version that holds what was replaced, or a folder that was merged; null if nothing was kept. */
  version_id: string | null
  /** The version that came back; if it was restored as a save, the mode and time that it had before: milliseconds since 1970, with parts of one. */
  restored_id: string | null
  restored_mode: number | null
  restored_modified: number | null
  /** The id of the operation that this one took back; null if it is no undo or redo. */
  reverts: string | null
  /** `OperationState`. */
  state: string
  /** What it keeps, or kept, out of sight: `Kept` of the storage. */
  kept_volume: string | null
  kept_id: string | null
}

/** Operations that have begun and need not be durable; in `operations` only when they are settled. */
export interface OpenOperationsTable {
  /** As in `operations`. */
  id: string
  group_id: string
  user_id: number
  /** `JournalEntry` as JSON. */
  entry: string
}

/** Earlier contents of files, each a kept node of the storage. A row is written before its file is replaced, and settled afterwards. */
export interface VersionsTable {
  /** UUIDv7; of the kept node, too. */
  id: string
  /** Of the file: storage path, links resolved; updated by renames through the server. Empty if nobody knows it. */
  path: string
  /** When it was replaced. */
  at: number
  /** The user who replaced it, by the name of that time. */
  user_name: string
  size: number
  modified: number
  identity: string
  /** `VersionState`. */
  state: string
  /** How often it has been thinned out. */
  tier: number
  /** The deletion that moved its file to the trash; empty if it is not there. */
  trashed: string
  /** The uppermost folder of its file system, as `journal/stored-path.ts` writes it. */
  kept_volume: string
}

/** What other programs changed in one folder in a short time, as the index found it. */
export interface OutsideChangesTable {
  /** UUIDv7, of the time `last`. */
  id: string
  first: number
  last: number
  /** Storage path of the folder, as `journal/stored-path.ts` writes it. */
  path: string
  appeared: number
  changed: number
  gone: number
  /** JSON: the first of them, each `{ path, change, folder }`. */
  items: string
}

export interface MailAddressesTable {
  user_id: number
  address: string
}

export interface PasswordLinksTable {
  /** Of the secret. */
  hash: string
  user_id: number
  kind: 'invitation' | 'reset' | 'address'
  /** The address that is confirmed; empty for other kinds. */
  address: string
  /** Of the account when it was made: a password that was changed since ends it. */
  auth_epoch: number
  created_at: number
  expires_at: number
}
