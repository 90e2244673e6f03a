import type { ShareTerms } from '../../shares/store.ts'

/** A link of the old server. */
export interface OldLink {
  readonly hash: string
  /** As its owner sees it. */
  readonly path: string
  readonly userId: number
  /** Seconds since 1970; 0 for never. */
  readonly expire: number
  /** Empty if there is no password. */
  readonly passwordHash: string
  /** What opens the link as `?token=` without its password; empty if nothing does. */
  readonly token: string
  readonly terms: Partial<Pick<ShareTerms, 'title' | 'message' | 'rights' | 'maxDownloads'>>
}

/** A link that is not moved, and why. */
export interface LeftOut {
  readonly hash: string
  /** As its owner sees it. */
  readonly path: string
  /** Name of its owner; empty if the account is gone. */
  readonly owner: string
  readonly reason: string
}

/** What an old server stored; settings and accounts as File Browser 2.63 writes them. */
export interface OldDatabase {
  readonly product: 'File Browser' | 'FileBrowser Quantum'
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
  /** The record of the sign-in method. */
  readonly auther: unknown
  readonly users: readonly unknown[]
  readonly links: readonly OldLink[]
  /** Links that cannot exist here, whatever is on the disk. */
  readonly leftOut: readonly LeftOut[]
  /** What was changed or left out. */
  readonly notes: readonly string[]
}
