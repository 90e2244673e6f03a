import { viewings as calls } from '../../shared/contract/viewings.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Viewings } from './viewings.ts'

export function mountViewings(app: Router, { viewings }: { readonly viewings: Viewings }): void {
  mount(app, calls.begin, ({ body: { user, current_password: password }, viewer, peer }) =>
    viewings.begin(user, { viewer, address: peer, password }),
  )
  mount(app, calls.get, ({ viewer, params }) => viewings.get(viewer, params.id))
  mount(app, calls.end, async ({ viewer, params, peer }) => {
    await viewings.end(viewer, params.id, peer)
    return undefined
  })
  mount(app, calls.ofMe, ({ viewer }) => viewings.ofMe(viewer))
}
