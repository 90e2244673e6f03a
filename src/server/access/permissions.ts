import type { Right } from '../../shared/contract/endpoint.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'

/** The eight rights, in the order of responses. */
export const RIGHTS = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const satisfies readonly Right[]

export const NO_RIGHTS: Permissions = Object.freeze(everyRight(() => false))
export const ALL_RIGHTS: Permissions = Object.freeze(everyRight(() => true))

/** What somebody with these permissions may do; an administrator may do everything. */
export function rightsOf(permissions: Permissions): Permissions {
  return permissions.admin ? ALL_RIGHTS : permissions
}

/** What both give. */
export function bothOf(one: Permissions, other: Permissions): Permissions {
  return one === other || other === ALL_RIGHTS ? one : everyRight((right) => one[right] && other[right])
}

/** What one of them gives. */
export function anyOf(all: readonly Permissions[]): Permissions {
  return everyRight((right) => all.some((one) => one[right]))
}

/** From external input. Drops unknown keys; missing ones are not granted. Fails with `invalid-input` for values that are not booleans. */
export function parsePermissions(input: unknown): Permissions {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return fail('invalid-input', { issues: ['perm: not an object'] })
  const given = new Map<string, unknown>(Object.entries(input))
  return everyRight((right) => {
    const value = given.get(right) ?? false
    return typeof value === 'boolean' ? value : fail('invalid-input', { issues: [`perm.${right}: not true or false`] })
  })
}

function everyRight(granted: (right: Right) => boolean): Permissions {
  return {
    admin: granted('admin'),
    execute: granted('execute'),
    create: granted('create'),
    rename: granted('rename'),
    modify: granted('modify'),
    delete: granted('delete'),
    share: granted('share'),
    download: granted('download'),
  }
}
