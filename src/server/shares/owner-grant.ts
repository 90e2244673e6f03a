import { fail } from '../../shared/errors.ts'
import { type FilePath, pathFrom } from '../../shared/file-path.ts'
import { type Access, rightsInScope } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { accessOf, type GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import { realScope } from './shares.ts'
import { isObjectOf, objectAt } from './shared-object.ts'
import type { Share } from './store.ts'

export interface OwnerGrantDeps {
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly systemDrive: Drive
}

export interface OwnerGrant {
  readonly owner: Account
  readonly access: Access
  /** The real path of the owner's scope. */
  readonly scope: FilePath
  /** The shared node in it. */
  readonly start: FilePath
}

/**
 * What the owner of a link or share gives. Checked at every request, and at every step of longer work: it is valid as long as its owner could create it
 * (invariant I8). Fails with `not-found`.
 */
export function createOwnerGrant({ users, settings, grantedTo, systemDrive }: OwnerGrantDeps) {
  return {
    async of(share: Pick<Share, 'userId' | 'place'>): Promise<OwnerGrant> {
      const owner = await users.find(share.userId)
      if (owner === null || owner.disabled) return fail('not-found', {})
      const access = accessOf(owner, await settings.read(), await grantedTo(owner.id))
      const scope = (await realScope(systemDrive, access.scope)) ?? fail('not-found', {})
      const start = pathFrom(scope, share.place) ?? fail('not-found', {})
      if (!rightsInScope(access, start).share) return fail('not-found', {})
      return { owner, access, scope, start }
    },

    /** Fails with `not-found` if another node is at the path: it is not what was shared (GHSA-m8v4-4w34-rrvf, GHSA-r6pg-pg54-rcr5). */
    async objectOf(share: Pick<Share, 'place' | 'identity'>): Promise<string> {
      const found = await objectAt(systemDrive, share.place, { make: false })
      return isObjectOf(share, found) ? found : fail('not-found', {})
    },
  }
}
