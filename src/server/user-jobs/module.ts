import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { createUserJobStore } from '../jobs/user-job-store.ts'
import { createUserJobRunner, type UserJobRunnerDeps } from './runner.ts'

export interface UserJobsModuleOptions extends Omit<UserJobRunnerDeps, 'store'> {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
}

/** Jobs that people start and watch. */
export function createUserJobsModule({ db, clock, ...deps }: UserJobsModuleOptions) {
  return createUserJobRunner({ ...deps, store: createUserJobStore({ db, clock, server: crypto.randomUUID() }) })
}
