import { type Permissions, type Rule, type Sorting, User, type ViewMode } from '../../shared/contract/users.ts'

/** An account as the server knows it. It is never sent; `toWire` selects what is. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly passwordHash: string
  readonly scope: string
  readonly locale: string
  readonly lockPassword: boolean
  readonly viewMode: ViewMode
  readonly singleClick: boolean
  readonly redirectAfterCopyMove: boolean
  readonly hideDotfiles: boolean
  readonly dateFormat: boolean
  readonly aceEditorTheme: string
  readonly sorting: Sorting
  readonly perm: Permissions
  readonly commands: readonly string[]
  readonly rules: readonly Rule[]
  readonly disabled: boolean
  /** Sessions of an older epoch have ended. */
  readonly authEpoch: number
  /** Raised by every change, so that clients renew their copy. */
  readonly version: number
  readonly createdAt: Date
}

export type Editable = Omit<Account, 'id' | 'passwordHash' | 'authEpoch' | 'version' | 'createdAt'>

/** The user in the API; only fields of its schema are ever returned (invariant I15). */
export function toWire(account: Account): User {
  return User.parse({ ...account, password: '' })
}
