import type { Hono } from 'hono'
import { places as calls } from '../../shared/contract/places.ts'
import { type Env, mount } from '../http/mount.ts'
import type { Places } from './places.ts'

/** What somebody comes back to: favourites and recent files. */
export function mountPlaces(app: Hono<Env>, { places }: { places: Places }): void {
  mount(app, calls.mine, async ({ viewer }) => places.mine(viewer))
  mount(app, calls.arrange, async ({ viewer, body }) => nothing(places.arrange(viewer, body.paths)))
  mount(app, calls.star, async ({ viewer, params }) => nothing(places.star(viewer, params.path)))
  mount(app, calls.unstar, async ({ viewer, params }) => nothing(places.unstar(viewer, params.path)))
  mount(app, calls.recent, async ({ viewer }) => places.recent(viewer))
  mount(app, calls.visit, async ({ viewer, body }) => nothing(places.visit(viewer, body.files)))
  mount(app, calls.keep, async ({ viewer, body }) => nothing(places.keep(viewer, body.keep)))
  mount(app, calls.forget, async ({ viewer }) => nothing(places.forget(viewer)))
  // After the one above, whose address a pattern takes in.
  mount(app, calls.leave, async ({ viewer, params }) => nothing(places.leave(viewer, params.path)))
}

async function nothing(deed: Promise<void>): Promise<undefined> {
  await deed
  return undefined
}
