import { peopleShares as calls } from '../../shared/contract/people-shares.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { PeopleShares } from './people.ts'

/** Shares with people and groups. */
export function mountPeopleShares(app: Router, { peopleShares }: { peopleShares: PeopleShares }): void {
  mount(app, calls.mine, ({ viewer }) => peopleShares.mine(viewer))
  mount(app, calls.ofPath, ({ viewer, params }) => peopleShares.ofPath(viewer, params.path))
  mount(app, calls.create, ({ viewer, params, body, peer }) => peopleShares.create(viewer, params.path, body, { address: peer }))
  mount(app, calls.change, ({ viewer, params, body, peer }) => peopleShares.change(viewer, params.id, body, { address: peer }))
  mount(app, calls.remove, async ({ viewer, params, peer }) => {
    await peopleShares.remove(viewer, params.id, { address: peer })
    return undefined
  })
  mount(app, calls.received, ({ viewer }) => peopleShares.received(viewer))
  mount(app, calls.find, ({ viewer, query }) => peopleShares.find(viewer, query.text))
}
