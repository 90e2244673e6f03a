import type { Permissions } from '../../shared/contract/users.ts'

/** Read-only. */
export const NONE: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
}
