import type { Access } from '../access/access.ts'
import { cutAccess } from '../access/cut.ts'
import { NO_RIGHTS } from '../access/permissions.ts'

const known = new WeakMap<Access, Access>()

/** The same scope and rules, with the right to download as the only one, also in what it is later. The same object for the same Access. */
export function readOnly(access: Access): Access {
  const before = known.get(access)
  if (before !== undefined) return before
  const { latest, ...rest } = access
  const made: Access = {
    ...cutAccess(rest, { rights: { ...NO_RIGHTS, download: true } }),
    ...(latest !== undefined && {
      latest: () => {
        const now = latest()
        return now instanceof Promise ? now.then(readOnly) : readOnly(now)
      },
    }),
  }
  known.set(access, made)
  return made
}
