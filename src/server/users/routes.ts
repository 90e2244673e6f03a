import * as z from 'zod/mini'
import { Proof, users as calls } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { MAX_JSON_BODY_BYTES } from '../../shared/limits.ts'
import { hashOf } from '../db/secret.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Viewer } from '../access/viewer.ts'
import { statusResponse } from '../http/errors.ts'
import { mount, readText } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { type Account, toWire } from './account.ts'
import type { Management } from './manage.ts'
import type { Users } from './users.ts'

export interface UsersDeps {
  users: Users
  management: Management
  settings: SettingsReader
}

export function mountUsers(app: Router, { users, management, settings }: UsersDeps): void {
  mount(app, calls.list, async () => (await users.all()).map(toWire))

  mount(app, calls.create, async ({ body, viewer, peer }) => {
    const { id } = await management.create(body, { viewer, address: peer, password: body.current_password })
    return statusResponse(201, { location: `/settings/users/${id}` })
  })

  mount(app, calls.get, async ({ params, viewer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    const account = (await users.find(id)) ?? fail('not-found', {})
    const isPrinted = viewer.userId === id && (await settings.read()).printedPassword === hashOf(account.passwordHash)
    return { ...shownTo(viewer, account), ...(isPrinted && { mustChangePassword: true }) }
  })

  mount(app, calls.update, async ({ params, body, viewer, peer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    await management.change(id, body, { viewer, address: peer, password: body.current_password })
    return statusResponse(200)
  })

  mount(app, calls.remove, async ({ params, request, viewer, peer }) => {
    const { current_password: password } = readProof(await readText(request, MAX_JSON_BODY_BYTES))
    await management.remove(readId(params.id), { viewer, address: peer, password })
    return statusResponse(200)
  })
}

/** The largest id that a database column holds. */
const MOST_ID = 2 ** 31 - 1

function readId(text: string): number {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST_ID ? Number(text) : fail('not-found', {})
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
