import { passwordLinks as calls } from '../../shared/contract/password-links.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { readId } from '../users/read-id.ts'
import type { PasswordLinks } from './password-links.ts'

export function mountPasswordLinks(app: Router, { passwordLinks: links }: { passwordLinks: PasswordLinks }): void {
  mount(app, calls.create, ({ params, body: { mail, current_password: password }, viewer, peer }) =>
    links.create(readId(params.id), { mail }, { viewer, address: peer, password }),
  )
  mount(app, calls.ask, async ({ body: { username, locale = '' }, peer }) => {
    await links.ask(username, { address: peer, locale })
    return undefined
  })
  mount(app, calls.read, ({ body: { secret }, peer }) => links.read(secret, peer))
  mount(app, calls.use, async ({ body: { secret, password }, peer }) => {
    await links.use(secret, { password, address: peer })
    return undefined
  })
}
