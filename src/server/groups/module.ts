import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { createGrantStore } from './grant-store.ts'
import { grantedToEverybody } from './everybody.ts'
import { createGroups, type GroupsOptions } from './groups.ts'
import { createGroupStore } from './store.ts'

export interface GroupsModuleOptions extends Pick<GroupsOptions, 'users' | 'bus' | 'clock' | 'requireProof'> {
  readonly db: Kysely<Schema>
}

/** Groups of people, and rights on folders. */
export function createGroupsModule({ db, ...options }: GroupsModuleOptions) {
  const [store, grants] = [createGroupStore(db), createGrantStore(db)]
  const groups = createGroups({ ...options, store, grants })
  return {
    services: { groups },
    grantedTo: groups.grantedTo,
    grantedToEverybody: (path: FilePath | null) => grantedToEverybody(db, { groups: store, grants }, path),
  }
}
