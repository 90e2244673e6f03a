import { favourites as calls } from '../../shared/contract/favourites.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Favourites } from './favourites.ts'

export function mountFavourites(app: Router, { favourites }: { favourites: Favourites }): void {
  mount(app, calls.mine, async ({ viewer }) => favourites.mine(viewer))
  mount(app, calls.arrange, async ({ viewer, body }) => nothing(favourites.arrange(viewer, body.paths)))
  mount(app, calls.star, async ({ viewer, params }) => nothing(favourites.star(viewer, params.path)))
  mount(app, calls.unstar, async ({ viewer, params }) => nothing(favourites.unstar(viewer, params.path)))
  mount(app, calls.recent, async ({ viewer }) => favourites.recent(viewer))
  mount(app, calls.visit, async ({ viewer, body }) => nothing(favourites.visit(viewer, body.files)))
  mount(app, calls.keep, async ({ viewer, body }) => nothing(favourites.keep(viewer, body.keep)))
  mount(app, calls.forget, async ({ viewer }) => nothing(favourites.forget(viewer)))
  // After the one above, whose address its pattern includes.
  mount(app, calls.leave, async ({ viewer, params }) => nothing(favourites.leave(viewer, params.path)))
}

async function nothing(work: Promise<void>): Promise<undefined> {
  await work
  return undefined
}
