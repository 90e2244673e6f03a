import type { Access } from './access.ts'

/** Who asks, as the session knows them: built anew for each request from today's record, never from the token. */
export interface Viewer {
  readonly userId: number
  readonly username: string
  readonly sessionId: string
  readonly access: Access
  /** The instant of the last sign-in with a password; sensitive changes ask that it be recent. */
  readonly provenAt: Date
  /** Signed in by our own web, which binds its session to a cookie. */
  readonly isWeb: boolean
  /** The client's idea of itself is old, or its token is about to end: it is told to renew. */
  readonly shouldRenew: boolean
}

/** What somebody is called where people share places, whatever session they use; beside `share …` for those who come through a link. */
export function clientKeyOf({ userId }: Pick<Viewer, 'userId'>): string {
  return `user ${userId}`
}
