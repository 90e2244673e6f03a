import { jobs } from '../../shared/contract/jobs.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { UserJobRunner } from './runner.ts'

export function mountUserJobs(app: Router, { driveFor, userJobs }: { driveFor: DriveFor; userJobs: UserJobRunner }): void {
  mount(app, jobs.start, async ({ body, viewer }) => userJobs.start(viewer, driveOf(driveFor, viewer), body))

  mount(app, jobs.list, async ({ viewer }) => userJobs.of(viewer.userId))

  mount(app, jobs.remove, async ({ params: { id }, viewer }) => {
    await userJobs.remove(viewer.userId, id)
    return undefined
  })
}
