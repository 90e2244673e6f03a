/** What users want to be told by mail, where it is not the default. */
export interface MailChoicesTable {
  user_id: number
  /** `NoticeKind`. */
  kind: string
  wanted: number
}

/** Files that came through a link or a share and that its owner was not told of yet. */
export interface ArrivalsTable {
  id: string
  /** Who is told. */
  user_id: number
  /** `NoticeKind`. */
  kind: string
  share: string
  /** Storage path. */
  place: string
  at: number
  /** The mail that tells of it; empty until it is made. */
  job: string
}

/** The browsers and programs with which somebody has signed in. */
export interface KnownDevicesTable {
  user_id: number
  key_hash: string
  seen_at: number
}
