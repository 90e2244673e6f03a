import { trash as calls } from '../../shared/contract/trash.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { UserJobRunner } from '../user-jobs/runner.ts'
import type { TrashServices } from './module.ts'

export interface TrashRoutesDeps extends TrashServices {
  readonly userJobs: UserJobRunner
}

export function mountTrash(app: Router, { trash, prepareEmpty, userJobs }: TrashRoutesDeps): void {
  mount(app, calls.list, ({ viewer, query, request }) => trash.list(viewer, query, { signal: request.signal }))
  mount(app, calls.policy, ({ viewer, query }) => trash.policy(viewer, [query.path].flat()))
  mount(app, calls.restore, async ({ viewer, params, body }) => ({ path: await trash.restore(viewer, params.id, body) }))
  mount(app, calls.remove, async ({ viewer, params, peer }) => {
    await trash.remove(viewer, params.id, { address: peer })
    return undefined
  })
  mount(app, calls.empty, async ({ viewer, query, peer }) => {
    const prepare = async () => prepareEmpty(viewer, { ...query, address: peer })
    return { job: await userJobs.launch(viewer, { kind: 'empty-trash', prepare }) }
  })
}
