import type { Sorting } from '../../shared/contract/users.ts'
import type { Access } from './access.ts'
import type { TokenGrant } from './token-access.ts'

/** What a user does with one request, or with several that name the same group: it is undone at once. */
export interface Gesture {
  /** A UUID. */
  readonly group: string
  /** Whether the request named it, so that it may have begun earlier. */
  readonly joins: boolean
  /** Set when something was changed that can be undone. */
  hasChanged: boolean
}

/** The share that a request is in. */
export interface ThroughShare {
  readonly share: string
  /** The same viewer outside. */
  readonly own: Viewer
  /** Whether they have access now; otherwise only calls about themselves are answered. */
  readonly isOpen: boolean
}

/** The view as somebody else that a request is in. */
export interface Looking {
  readonly viewing: string
  /** The same administrator outside. */
  readonly own: Viewer
  /** Whether they may look now; otherwise only calls about themselves are answered. */
  readonly isOpen: boolean
}

/** The API token that a request was made with. */
export interface ViewerToken extends TokenGrant {
  readonly id: string
  readonly name: string
}

/** The authenticated user of a request, built from the current account on every request, never from the token. */
export interface Viewer {
  readonly userId: number
  readonly username: string
  /** Of an API token, an id that no session has. */
  readonly sessionId: string
  readonly access: Access
  readonly sorting: Sorting
  /** Time of the last sign-in with a password; sensitive changes require a recent one. */
  readonly provenAt: Date
  /** Signed in through our own web application, which binds its session to a cookie. */
  readonly isWeb: boolean
  /** Signs in with the password that the first start printed: may do nothing but choose another one. */
  readonly mustChangePassword?: boolean
  /** Must have a second factor and has none: may do nothing but set one up. */
  readonly mustSetUpFactor?: boolean
  /** Whether the account must not be used by WebDAV. */
  readonly webdavDisabled?: boolean
  /** Absent if the user signed in. */
  readonly token?: ViewerToken
  /** Whether the client should renew its token: its copy of the user is outdated, or the token is about to expire. */
  readonly shouldRenew: boolean
  /** Of a request within a share with people: `access` is to what is shared. */
  readonly through?: ThroughShare
  /** Of a request of an administrator who looks as somebody else: `access` is to what that person sees. */
  readonly looking?: Looking
  /** Of a request that may change something. */
  readonly gesture?: Gesture
}

/** Identifies a user to limits and fair queues, whichever session they use; links use `share …` instead. */
export function clientKeyOf({ userId }: Pick<Viewer, 'userId'>): string {
  return `user ${userId}`
}

/** Who did something, for the activity log. */
export interface Performer {
  readonly id: number
  readonly name: string
  /** Name of the API token that they did it with. */
  readonly token?: string
}

export function performerOf({ userId, username, token }: Pick<Viewer, 'userId' | 'username' | 'token'>): Performer {
  return { id: userId, name: username, ...(token !== undefined && { token: token.name }) }
}
