import type { Hono } from 'hono'
import { jobs } from '../../shared/contract/jobs.ts'
import { type DriveFor, driveOf } from '../drive/acting.ts'
import { type Env, mount } from '../http/mount.ts'
import type { Tasks } from './tasks.ts'

export interface TasksRoutesDeps {
  readonly driveFor: DriveFor
  readonly tasks: Tasks
}

/** Long deeds: begun, looked at, cancelled. */
export function mountTasks(app: Hono<Env>, { driveFor, tasks }: TasksRoutesDeps): void {
  mount(app, jobs.start, async ({ body, viewer }) => tasks.start(viewer, driveOf(driveFor, viewer), body))

  mount(app, jobs.list, async ({ viewer }) => tasks.of(viewer.userId))

  mount(app, jobs.remove, async ({ params: { id }, viewer }) => {
    await tasks.remove(viewer.userId, id)
    return undefined
  })
}
