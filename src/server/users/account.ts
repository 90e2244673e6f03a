import { User } from '../../shared/contract/users.ts'

/** An account as the server knows it. It is never sent; `toWire` selects what is. */
export interface Account extends Readonly<Omit<User, 'password'>> {
  readonly passwordHash: string
  /** Whether a second factor is set up. */
  readonly secondFactor: boolean
  /** Whether the provider through which they sign in asks for a second factor; counts only without a password of ours. */
  readonly factorElsewhere: boolean
  /** Sessions of an older epoch have ended. */
  readonly authEpoch: number
  /** Raised by every change, so that clients renew their copy. */
  readonly version: number
  readonly createdAt: Date
}

/** Kept in step with other tables. */
export type KeptApart = 'secondFactor' | 'factorElsewhere'

export type Editable = Omit<Account, 'id' | 'passwordHash' | 'authEpoch' | 'version' | 'createdAt' | KeptApart>

/** The user in the API; only fields of its schema are ever returned (invariant I15). */
export function toWire(account: Account): User {
  return User.parse({ ...account, password: '' })
}
