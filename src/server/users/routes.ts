import * as z from 'zod/mini'
import { Proof, type UserChange, users as calls } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { MAX_JSON_BODY_BYTES } from '../../shared/limits.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { Viewer } from '../access/viewer.ts'
import { statusResponse } from '../http/errors.ts'
import { mount, readText } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { type Account, toWire } from './account.ts'
import { firstMinuteOf } from './first-minute.ts'
import type { Management } from './manage.ts'
import { readId } from './read-id.ts'
import type { Users } from './users.ts'

export interface UsersDeps {
  users: Users
  management: Management
  settings: SettingsStore
}

export function mountUsers(app: Router, { users, management, settings }: UsersDeps): void {
  mount(app, calls.list, async () => (await users.all()).map(toWire))

  mount(app, calls.create, async ({ body, viewer, peer }) => {
    const caller = { viewer, address: peer, password: body.current_password }
    const { id } = await management.create(body, caller, { withoutPassword: body.without_password === true })
    return statusResponse(201, { location: `/settings/users/${id}` })
  })

  mount(app, calls.get, async ({ params, viewer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    const account = (await users.find(id)) ?? fail('not-found', {})
    return {
      ...shownTo(viewer, account),
      ...(viewer.userId === id && firstMinuteOf(account, viewer.access.may.admin, await settings.read())),
    }
  })

  mount(app, calls.update, async ({ params, body, viewer, peer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    const isFirstChoice = viewer.mustChangePassword === true || body.replaces_printed === true
    if (isFirstChoice) await allowOwnPassword(viewer, id, body)
    const caller = { viewer, address: peer, password: body.current_password }
    await management.change(id, body, caller, isFirstChoice ? { requires: requirePrinted } : {})
    return statusResponse(200)
  })

  mount(app, calls.welcomed, async ({ body: { done }, viewer }) => {
    await settings.change((before) => {
      const { welcome } = before
      if (welcome?.userId !== viewer.userId) return before
      return { ...before, welcome: { ...welcome, steps: welcome.steps.filter((step) => !done.includes(step)) } }
    })
    return statusResponse(200)
  })

  /** Instead of the printed password, a user may only set another one, and nothing else. */
  async function allowOwnPassword(viewer: Viewer, id: number, { which, data }: UserChange): Promise<void> {
    const isAllowed = viewer.userId === id && which.length === 1 && which[0]?.toLowerCase() === 'password'
    if (!isAllowed) fail('own-password-needed', {})
    await requirePrinted((await users.find(id)) ?? fail('not-found', {}))
    const { password } = data
    if (typeof password !== 'string') return
    // Copied with spaces around it, it is still the password that anybody finds in the log.
    for (const guess of new Set([password, password.trim()]))
      if ((await users.prove(viewer.username, guess, { address: null })) !== null)
        fail('invalid-input', { issues: ['data.password: printed'] })
  }

  /** Two windows may ask for it at the same time; the password of the first is not replaced by that of the second. */
  async function requirePrinted(account: Account): Promise<void> {
    const { mustChangePassword = false } = firstMinuteOf(account, account.perm.admin, await settings.read())
    if (!mustChangePassword) fail('own-password-chosen', {})
  }

  mount(app, calls.remove, async ({ params, request, viewer, peer }) => {
    const { current_password: password } = readProof(await readText(request, MAX_JSON_BODY_BYTES))
    await management.remove(readId(params.id), { viewer, address: peer, password })
    return statusResponse(200)
  })
}

/** Allows the user themselves, or an administrator. */
function allowOnly(viewer: Viewer, id: number): void {
  if (viewer.userId !== id && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
}

/** Only administrators see the scope. */
function shownTo(viewer: Viewer, account: Account) {
  const user = toWire(account)
  return viewer.access.may.admin ? user : { ...user, scope: '' }
}

/** The body may be absent. */
function readProof(text: string): z.infer<typeof Proof> {
  if (text.trim() === '') return {}
  try {
    const parsed = z.safeParse(Proof, JSON.parse(text))
    return parsed.success ? parsed.data : fail('invalid-input', { issues: ['body: no proof'] })
  } catch (error) {
    if (error instanceof SyntaxError) fail('invalid-input', { issues: ['body: not JSON'] }, { cause: error })
    throw error
  }
}
