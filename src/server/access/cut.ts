import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, placeUnder } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { ALL_RIGHTS, bothOf, rightsOf } from './permissions.ts'

export interface Cut {
  /** At most these, at each node; with `admin`, everything. */
  readonly rights?: Permissions
  /** The folder that becomes the root, as the owner of the Access sees it. */
  readonly start?: FilePath
}

/** The same person with fewer rights, or only in a folder: what they lose, the cut Access loses too (`latest`). */
export function cutAccess(access: Access, { rights: asked = ALL_RIGHTS, start }: Cut): Access {
  const rights = rightsOf(asked)
  const { latest, ...rest } = access
  return {
    ...rest,
    start: start === undefined ? access.start : placeUnder(access.start, start),
    may: bothOf(rightsOf(access.may), rights),
    most: bothOf(access.most ?? ALL_RIGHTS, rights),
    ...(latest !== undefined && {
      latest() {
        const now = latest()
        const cut = (one: Access): Access => cutAccess(one, { rights, ...(start !== undefined && { start }) })
        return now instanceof Promise ? now.then(cut) : cut(now)
      },
    }),
  }
}
