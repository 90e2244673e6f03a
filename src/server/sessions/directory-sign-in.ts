import type { Account } from '../users/account.ts'
import type { Credentials } from './by-hook.ts'

/** An account that a directory led to. */
export interface DirectoryEntry {
  readonly account: Account
  /** For the audit trail: `ldap` and the id of the directory. */
  readonly method: string
  /** Whose sign-in it is at which directory; kept with the session. */
  readonly carried: string
}

/** PORT: directories in which people have a password that is not kept here. */
export interface DirectorySignIn {
  /** Whether there is one that people sign in by. */
  isOn(): Promise<boolean>
  /**
   * Fails with `directory-away` if one could not be asked that may know the name, with `directory-refused` if the password is right and there is no
   * account, and with `too-many-requests`.
   * @returns null if no directory accepts the name and password
   */
  enter(given: Credentials): Promise<DirectoryEntry | null>
  /** Fails with `directory-away` if one cannot be asked; sends nothing of anybody. */
  reach(): Promise<void>
  /** Whether an account has its password in a directory. */
  keepsPasswordOf(userId: number): Promise<boolean>
  /** Whether it is the account's password in its directory. Fails with `directory-away` and `too-many-requests`. */
  proves(account: Account, given: { password: string; address: string | null }): Promise<boolean>
}

export const NO_DIRECTORIES: DirectorySignIn = {
  isOn: async () => false,
  enter: async () => null,
  reach: async () => undefined,
  keepsPasswordOf: async () => false,
  proves: async () => false,
}
