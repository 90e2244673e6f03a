import type { Viewer } from './viewer.ts'

/** The client of a call that requires a proof of identity, and what it presented. */
export interface Caller {
  readonly viewer: Viewer
  /** The client's address; null on a unix socket. */
  readonly address: string | null
  readonly password: string | undefined
}
