import type { Permissions } from '../../shared/contract/users.ts'

/** `told`: of an administrator, the server said what may be done here, which need not be everything: a folder may be read-only. */
export type NodePermissions = Permissions & { readonly told?: true }
