import type { Permissions } from '../../shared/contract/users.ts'

/** Somebody who may only look. */
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
