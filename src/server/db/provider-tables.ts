import type { Generated } from 'kysely'

/* Signing in through providers and directories, and by links of the terminal. */

/** Providers and directories through which people sign in, in their order. */
export interface SignInProvidersTable {
  id: string
  rank: number
  kind: 'oidc' | 'ldap'
  /** JSON, defined by the kind; contains no secret. */
  config: string
  /** For the provider, so it is stored as it is; empty if there is none. */
  secret: string
  created_at: number
  /** When the accounts of a directory were last compared with it; 0 if never. */
  checked_at: Generated<number>
  /** JSON: what that found; empty if there is nothing. */
  check_result: Generated<string>
}

/** Which account somebody signs in to who was identified by a provider: by issuer and subject, never by name or mail address. */
export interface AccountLinksTable {
  issuer: string
  subject: string
  user_id: number
  /** The provider through which it was made. */
  provider: string
  /** 1: the account administers because this provider said so. */
  made_admin: number
  created_at: number
  /** 0 if nobody signed in by it yet. */
  used_at: number
  /** 1: a directory does not let this person in any more, and so the account is switched off. */
  switched_off: Generated<number>
  /** The name with which they last signed in to a directory; empty if there is none. */
  login: Generated<string>
}

/** What somebody began in a browser and has not finished: a sign-in through a provider, a connection, a trial. */
export interface SignInFlowsTable {
  /** SHA-256 of the state, in hex. */
  id: string
  provider: string
  purpose: 'sign-in' | 'connect' | 'try'
  /** SHA-256 of the cookie of the browser that began it, in hex. */
  cookie_hash: string
  nonce: string
  /** Of PKCE (RFC 7636). */
  verifier: string
  redirect_uri: string
  /** The page to open afterwards. */
  target: string
  remember: number
  /** How old the sign-in at the provider may be, in seconds; null for any age. */
  max_age: number | null
  /** Who is signed in; null for a sign-in. */
  user_id: number | null
  stage: 'begun' | 'used' | 'proved'
  /** JSON: what the provider said. */
  outcome: string
  expires_at: number
}

/** Sign-ins that were opened through a provider, for logout by either side. */
export interface ProviderSessionsTable {
  /** Of the sign-in, as in `sessions`. */
  family: string
  user_id: number
  provider: string
  issuer: string
  subject: string
  /** The provider's name for its session; empty if it has none. */
  sid: string
  /** Tells the provider whose session is to end; it signs nobody in. */
  id_token: string
  created_at: number
}

/** Logout tokens that were used: each counts once. */
export interface SpentTokensTable {
  /** SHA-256 of provider and `jti`, in hex. */
  key_hash: string
  expires_at: number
}

/** Links that sign in once, printed for an administrator of the machine. */
export interface SignInLinksTable {
  /** SHA-256 of the secret, in hex. */
  key_hash: string
  user_id: number
  expires_at: number
}
