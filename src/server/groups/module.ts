import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import { createGrantStore } from './grant-store.ts'
import { grantedToEverybody } from './everybody.ts'
import { followMoves } from './follow-moves.ts'
import { createGroups, type GroupsOptions } from './groups.ts'
import { createNamedPaths } from './named-paths.ts'
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

/** Roles and rules follow what they name when it is moved. */
export function createMoveFollower({ db, ...deps }: { readonly db: Kysely<Schema>; readonly systemDrive: Drive; readonly bus: Bus }) {
  return followMoves({ ...deps, paths: createNamedPaths(db) })
}
