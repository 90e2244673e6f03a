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
  async function ownerOf(userId: number): Promise<Omit<OwnerGrant, 'start'>> {
    const owner = await users.find(userId)
    if (owner === null || owner.disabled) return fail('not-found', {})
    const access = accessOf(owner, await settings.read(), await grantedTo(owner.id))
    const scope = (await realScope(systemDrive, access.scope)) ?? fail('not-found', {})
    return { owner, access, scope }
  }

  const grantBy =
    (find: typeof ownerOf) =>
    async (share: Pick<Share, 'userId' | 'place'>): Promise<OwnerGrant> => {
      const found = await find(share.userId)
      const start = pathFrom(found.scope, share.place) ?? fail('not-found', {})
      return rightsInScope(found.access, start).share ? { ...found, start } : fail('not-found', {})
    }

  return {
    of: grantBy(ownerOf),

    /** The same for many shares of one request: each owner is looked up once. */
    forMany: () => grantBy(once(ownerOf)),

    /** Fails with `not-found` if another node is at the path: it is not what was shared (GHSA-m8v4-4w34-rrvf, GHSA-r6pg-pg54-rcr5). */
    async objectOf(share: Pick<Share, 'place' | 'identity'>): Promise<string> {
      const found = await objectAt(systemDrive, share.place, { make: false })
      return isObjectOf(share, found) ? found : fail('not-found', {})
    },
  }
}

/** Asks once for each key. */
export function once<K, V>(ask: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, Promise<V>>()
  return (key) => known.get(key) ?? known.set(key, ask(key)).get(key) ?? ask(key)
}
