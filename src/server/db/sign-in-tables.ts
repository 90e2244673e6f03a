import type { Generated } from 'kysely'

export interface SessionsTable {
  id: string
  /** SHA-256 of the token's last part, in hex. */
  key_hash: string
  /** SHA-256 of the cookie that must come with the token; null for clients other than our web application. */
  cookie_hash: string | null
  /** Common to all renewals of one sign-in. */
  family: string
  user_id: number
  auth_epoch: number
  /** The user's version that the client has. */
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
  /** 1: its client reads search results as NDJSON. */
  search_lines: Generated<number>
  /** When its user last proved completely who they are; null if that was at `proven_at`, 0 if never, as on a trusted device. */
  proof_at: number | null
}

/** Authenticator apps and passkeys. */
export interface SecondFactorsTable {
  id: string
  user_id: number
  /** `totp` or `passkey`. */
  kind: string
  name: string
  /** The key of an authenticator app in base32, or the public key of a passkey in base64url. */
  secret: string
  /** What the authenticator calls the passkey; unique, and the row's own id for an authenticator app. */
  credential: string
  /** The name of the server that a passkey was made for. */
  site: string
  /** JSON. */
  transports: string
  /** The last time step of which a code was accepted, or the last counter of a passkey. */
  counter: number
  /** 0: set up, but no code has been right yet. */
  confirmed: number
  created_at: number
  last_used_at: number | null
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: string
}

/** Devices that are not asked for a second factor. */
export interface TrustedDevicesTable {
  id: string
  user_id: number
  secret_hash: string
  /** Of the account when it was trusted: what ends all sessions ends the trust too. */
  auth_epoch: number
  created_at: number
  expires_at: number
  ip: string
  user_agent: string
}

/** Half-done sign-ins and challenges to passkeys. */
export interface SignInTicketsTable {
  secret_hash: string
  /** `second`, `passkey` (alone), `register` or `proof`. */
  kind: string
  /** Null for a passkey alone. */
  user_id: number | null
  auth_epoch: number
  /** Of the first proof, for the audit trail; for `register` and `proof`, the family of the session. */
  detail: string
  /** What the first proof has to keep with the session that opens; empty if nothing. */
  carried: string
  /** In base64url; empty if there is none. */
  challenge: string
  /** The origin that the challenge was made for. */
  origin: string
  challenge_until: number
  /** Wrong codes so far. */
  tries: number
  expires_at: number
}

/** Tokens that programs send instead of signing in. A revoked one has no row. */
export interface ApiTokensTable {
  id: string
  /** SHA-256 of the token, in hex. */
  secret_hash: string
  user_id: number
  name: string
  /** Rights, as those of an account. */
  perm: string
  /** In the tree of its user; `/` for all of it. */
  folder: string
  created_at: number
  /** Name of the user who made it, at that time; empty for the command line. */
  created_by: string
  /** Null: never. */
  expires_at: number | null
  last_used_at: number | null
  last_address: string
  /** JSON list of networks from which it was used, the latest last. */
  networks: string
}
