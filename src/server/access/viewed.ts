import { type FilePath, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { type Access, rightsInScope } from './access.ts'
import { fileRightsOf } from './grants.ts'
import { NO_RIGHTS } from './permissions.ts'

/** An Access, and where its folder really is. */
export interface PlacedAccess {
  readonly access: Access
  /** Of the storage, links resolved. */
  readonly scope: FilePath
}

/**
 * What an administrator has who looks at the files as somebody else: what that person sees, and nothing that can be changed. What rules deny to the
 * administrator stays denied, and content is read only where both may read it: looking as somebody else must not open what their own account does not.
 * `latest` is left out.
 */
export function accessWhileViewing(person: PlacedAccess, administrator: PlacedAccess): Access {
  const { rules } = person.access
  /** The administrator's path of a node; null outside of their folder. */
  const own = (path: FilePath): FilePath | null => pathFrom(administrator.scope, placeUnder(person.scope, path))
  const isDenied = (path: FilePath): boolean => {
    const there = own(path)
    return there === null || administrator.access.rules.verdict(there) === 'denied'
  }
  const mayRead = (path: FilePath): boolean => {
    const there = own(path)
    return there !== null && rightsInScope(person.access, path).download && rightsInScope(administrator.access, there).download
  }
  const verdict = (path: FilePath) => (isDenied(path) ? 'denied' : rules.verdict(path))
  return {
    ...person.access,
    may: NO_RIGHTS,
    most: { ...NO_RIGHTS, download: true },
    tellsRights: true,
    rules: {
      empty: false,
      neverDenies: false,
      deniedPaths: null,
      verdict,
      allows: (path) => verdict(path) === 'shown',
      deciding: () => null,
      // Nothing is removed or moved.
      deniesBelow: () => true,
      hidesBelow: () => false,
      shownBelow: () => 'unknown',
      grants: {
        isUniform: false,
        coversAll: true,
        somewhere: fileRightsOf(['download']),
        everywhere: fileRightsOf([]),
        paths: [],
        hasPatterns: true,
        rightsAt: (path) => fileRightsOf(mayRead(path) ? ['download'] : []),
        deciding: () => null,
        isSameBelow: () => false,
      },
    },
  }
}
