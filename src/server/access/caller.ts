import type { Viewer } from './viewer.ts'

/** Who asks for something that needs proof, and with what. */
export interface Caller {
  readonly viewer: Viewer
  /** The client's address; null on a unix socket. */
  readonly address: string | null
  /** The caller's own password, where it was given. */
  readonly password: string | undefined
}
