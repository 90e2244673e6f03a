import type { Kysely } from 'kysely'
import type { Grant } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import type { GrantStore } from './grant-store.ts'
import type { GroupStore } from './store.ts'
import type { Granted } from '../users/access-of.ts'

/** Which groups an account is taken to be in, by their ids; as it is if absent. */
export type InGroups = (ids: readonly number[]) => readonly number[]

/** What an account has, without further queries. */
export type GrantedNow = (userId: number, inGroups?: InGroups) => Granted

/**
 * What every account has by its groups, and by the grants that may decide about a path or a folder above it, or about any path. Read at once: one query
 * for each table instead of two for each account.
 */
export async function grantedToEverybody(
  db: Kysely<Schema>,
  { groups, grants }: { groups: Pick<GroupStore, 'all'>; grants: Pick<GrantStore, 'about'> },
  path: FilePath | null,
): Promise<GrantedNow> {
  const ordered = await groups.all()
  const bySubject = await grants.about(path)
  const memberships = await db.selectFrom('memberships').select(['group_id', 'user_id']).execute()
  const groupIdsOf = Map.groupBy(memberships, ({ user_id: id }) => id)
  const of = (key: string): readonly Grant[] => bySubject.get(key) ?? []
  const positions = new Map(ordered.map(({ id }, at) => [id, at]))
  return (userId, inGroups = (ids) => ids) => {
    const mine = inGroups((groupIdsOf.get(userId) ?? []).map(({ group_id: id }) => id))
      .map((id) => positions.get(id) ?? -1)
      .sort((a, b) => a - b)
      .flatMap((at) => ordered[at] ?? [])
    return { groups: mine, grants: [of('everybody'), ...mine.map(({ id }) => of(`group ${id}`)), of(`user ${userId}`)] }
  }
}
