import type { ShareObstacle } from '../../shared/contract/hand-over.ts'
import { FILE_RIGHTS, type FileRight, ROLES } from '../../shared/contract/rights.ts'
import { nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { subjectKey } from '../../shared/subject-key.ts'
import { type Access, canSee, rightsInScope } from '../access/access.ts'
import { requiringRight } from '../access/requiring.ts'
import { createOwnerGrant, type OwnerGrantDeps } from '../shares/owner-grant.ts'
import { realScope } from '../shares/shares.ts'
import type { Share } from '../shares/store.ts'
import { RIGHTS_OF_LINK } from '../shares/visit.ts'
import { accessOf } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'

/** A folder with more entries than this, of which its owner may not see all, does not pass. */
const MOST_COMPARED = 5000

export interface Leaving {
  readonly leaver: Account
  readonly successorId: number
  /** The folder that has, or is going to have, what was in the home folder: storage path. Null if nothing is moved. */
  readonly folder: FilePath | null
  /** Where the home folder is now, links resolved. */
  readonly home: FilePath
}

interface View {
  readonly access: Access
  readonly start: FilePath
}

/** What a link or share lets others do with its node, if its owner may. */
function neededFor({ recipient, rights, role, folder }: Share): readonly FileRight[] {
  if (recipient === '') return FILE_RIGHTS.filter((right) => RIGHTS_OF_LINK[rights][right])
  const given = Object.entries(ROLES).find(([name]) => name === role)?.[1] ?? []
  return given.filter((right) => folder || right === 'download' || right === 'modify')
}

/** Whether a link or share could have been given by the successor, with the same effect: not less, and not more than its owner could give. */
export function createPassing({ users, settings, grantedTo, systemDrive }: OwnerGrantDeps) {
  const grantOf = createOwnerGrant({ users, settings, grantedTo, systemDrive })

  /** What the leaver can do with the node, or could before it was moved; null for nothing. */
  async function viewOf({ leaver, folder }: Leaving, place: FilePath): Promise<View | null> {
    // Rules begin at the home folder, which is somewhere else now, and roles have followed it.
    const isMoved = folder !== null && isWithin(place, folder)
    const given = cleanScope(leaver.scope)
    const scope = isMoved ? folder : ((await realScope(systemDrive, given)) ?? given)
    const start = pathFrom(scope, place)
    const access = accessOf({ ...leaver, scope: isMoved ? folder : given }, await settings.read(), await grantedTo(leaver.id))
    return start === null ? null : { access, start }
  }

  /** Whether the successor sees, and may share, something in it that the leaver does not, or may do more there of what the share needs. */
  async function showsMore(share: Share, before: View, now: View): Promise<boolean> {
    const { place, folder } = share
    const needed = neededFor(share)
    const mayMore = (inner: FilePath): boolean => {
      const [was, is] = [
        rightsInScope(before.access, placeUnder(before.start, inner)),
        rightsInScope(now.access, placeUnder(now.start, inner)),
      ]
      return needed.some((right) => !was[right] && is[right])
    }
    if (mayMore(ROOT)) return true
    if (!folder) return false
    const hasRoles = !before.access.rules.grants.isUniform || !now.access.rules.grants.isUniform
    const [old, next] = [requiringRight(before.access, 'share').rules, requiringRight(now.access, 'share').rules]
    if (!hasRoles && old.shownBelow(before.start) === 'all') return false
    let count = 0
    for await (const { path } of systemDrive.walk(place)) {
      const inner = pathFrom(place, path)
      if (inner === null || ++count > MOST_COMPARED || mayMore(inner)) return true
      if (!old.allows(placeUnder(before.start, inner)) && next.allows(placeUnder(now.start, inner))) return true
    }
    return false
  }

  /** Null if it passes. */
  return async (share: Share, leaving: Leaving): Promise<ShareObstacle | null> => {
    const { successorId, home, folder } = leaving
    if (share.recipient === subjectKey({ kind: 'user', id: successorId })) return 'theirs'
    const inner = folder === null ? null : pathFrom(home, share.place)
    const place = folder === null || inner === null ? share.place : placeUnder(folder, inner)
    const before = await viewOf(leaving, share.place)
    const grant = await nullOn('not-found', grantOf.of({ userId: successorId, place }))
    if (grant === null) return 'out-of-reach'
    if (!canSee(grant.access, grant.start)) return 'hidden'
    if (before === null || !canSee(before.access, before.start)) return 'no-right'
    const [old, now] = [rightsInScope(before.access, before.start), rightsInScope(grant.access, grant.start)]
    // One that does not open today does not open because it has another owner.
    if (!old.share || neededFor(share).some((right) => old[right] && !now[right])) return 'no-right'
    const isMore = await nullOn('not-found', showsMore(share, before, grant))
    return isMore === true ? 'shows-more' : null
  }
}
