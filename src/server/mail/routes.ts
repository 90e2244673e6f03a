import { mail as calls, type MailAddress } from '../../shared/contract/mail.ts'
import { fail } from '../../shared/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { SettingsStore } from '../settings/store.ts'
import { readId } from '../users/read-id.ts'
import type { Users } from '../users/users.ts'
import type { Addresses } from './addresses.ts'
import type { Choices } from './choices.ts'
import type { Mailer } from './mailer.ts'
import { setAddress } from './set-address.ts'
import { changedSettings, isMailAddress, shownSettings } from './settings.ts'

export interface MailRoutesDeps {
  readonly mailer: Mailer
  readonly addresses: Addresses
  readonly choices: Choices
  readonly settings: SettingsStore
  readonly users: Users
  readonly bus: Bus
  /** The address that a user has yet to confirm; null if there is none. */
  readonly waitingAddress: (userId: number) => Promise<string | null>
  /** Fails with `too-many-requests` for a user who has mail sent to address after address. */
  readonly countAddress: (userId: number, peer: string | null) => Promise<void>
  /** Ends the links of addresses that a user has yet to confirm. */
  readonly dropWaiting: (userId: number) => Promise<void>
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
}

export function mountMail(app: Router, deps: MailRoutesDeps): void {
  const { mailer, addresses, choices, settings, users, bus, waitingAddress, countAddress, dropWaiting, requireProof } = deps

  mount(app, calls.get, async () => ({ settings: shownSettings((await settings.read()).mail), sent: await mailer.latest() }))

  mount(app, calls.update, async ({ body, viewer, peer }) => {
    changedSettings((await settings.read()).mail, body)
    await requireProof({ viewer, address: peer, password: body.current_password })
    const by = { id: viewer.userId, name: viewer.username, address: peer }
    await settings.change((before) => ({ ...before, mail: changedSettings(before.mail, body) }), by)
    return statusResponse(200)
  })

  mount(app, calls.test, async ({ body: { to }, viewer }) => {
    if (!isMailAddress(to)) fail('invalid-input', { issues: ['to: not an address'] })
    return mailer.test(to, (await users.find(viewer.userId))?.locale ?? '')
  })

  async function addressOf(id: number): Promise<MailAddress> {
    return { address: (await addresses.find(id)) ?? '', waiting: (await waitingAddress(id)) ?? '', isOn: await mailer.isOn() }
  }

  mount(app, calls.address, async ({ params, viewer }) => addressOf(await userIdIn(params.id, viewer)))

  mount(app, calls.setAddress, async ({ params, body: { address, current_password: password }, viewer, peer }) => {
    const id = await userIdIn(params.id, viewer)
    if (address !== '' && !isMailAddress(address)) fail('invalid-input', { issues: ['address: not an address'] })
    const before = await addressOf(id)
    const isDirect = address === '' || viewer.access.may.admin
    if (address === before.address && before.waiting === '') return before
    if (!isDirect && !before.isOn) fail('invalid-input', { issues: ['address: no mail is sent here'] })
    const caller = { viewer, address: peer, password }
    await requireProof(caller)
    if (!isDirect) await countAddress(id, peer)
    await dropWaiting(id)
    if (!isDirect && address !== before.address) {
      await mailer.queue('address', id, { address })
      return { ...before, waiting: address }
    }
    await setAddress({ addresses, users, bus }, { id, address, caller })
    return addressOf(id)
  })

  mount(app, calls.notices, ({ viewer }) => choices.of(viewer.userId))

  mount(app, calls.setNotices, async ({ body, viewer }) => {
    await choices.change(viewer.userId, body)
    return choices.of(viewer.userId)
  })

  /** Of the viewer, or for administrators of anybody. */
  async function userIdIn(text: string, viewer: Viewer): Promise<number> {
    const id = readId(text)
    if (viewer.userId !== id && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
    if ((await users.find(id)) === null) fail('not-found', {})
    return id
  }
}
