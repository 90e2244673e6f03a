import { people as calls } from '../../shared/contract/people.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { PeopleService } from './module.ts'

export function mountPeople(app: Router, { people }: { readonly people: PeopleService }): void {
  mount(app, calls.list, ({ query: { text = '', only = null, group = null, after = null } }) =>
    people.list({ text, only, group: group === null ? null : Number(group), after }),
  )
  mount(app, calls.ids, async ({ query: { text = '', only = null, group = null } }) => ({
    ids: await people.ids({ text, only, group: group === null ? null : Number(group) }),
  }))
  mount(app, calls.change, ({ body: { ids, change, current_password: password }, viewer, peer }) =>
    people.change(ids, change, { viewer, address: peer, password }),
  )
  mount(app, calls.import, async ({ body: { people: list, preview, mail, current_password: password }, viewer, peer }) => ({
    people: await people.import(list, { preview, mail, caller: { viewer, address: peer, password } }),
  }))
}
