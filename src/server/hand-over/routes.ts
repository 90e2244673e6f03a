import { handOver as calls } from '../../shared/contract/hand-over.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { readId } from '../users/read-id.ts'
import type { HandOvers } from './hand-over.ts'

export function mountHandOver(app: Router, { handOvers }: { readonly handOvers: HandOvers }): void {
  mount(app, calls.preview, ({ params, query: { to, folder = '' } }) =>
    handOvers.preview(readId(params.id), { to: to === undefined ? null : readId(to), folder }),
  )
  mount(app, calls.start, ({ params, body: { current_password: password, ...choice }, viewer, peer }) =>
    handOvers.start(readId(params.id), choice, { viewer, address: peer, password }),
  )
  mount(app, calls.state, async ({ params }) => ({ last: await handOvers.last(readId(params.id)) }))
}
