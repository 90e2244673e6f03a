import type { Hono } from 'hono'
import { users as calls } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import { statusResponse } from '../http/errors.ts'
import { type Env, mount } from '../http/mount.ts'
import { type Account, toWire } from './account.ts'
import { readChange } from './change.ts'
import type { Users } from './users.ts'

export interface UsersDeps {
  users: Users
}

export function mountUsers(app: Hono<Env>, { users }: UsersDeps): void {
  mount(app, calls.get, async ({ params, viewer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    return shownTo(viewer, (await users.find(id)) ?? fail('not-found', {}))
  })

  mount(app, calls.update, async ({ params, body, viewer }) => {
    const id = readId(params.id)
    allowOnly(viewer, id)
    await users.changeOwn(id, readChange(body, id, viewer))
    return statusResponse(200)
  })
}

function readId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : fail('not-found', {})
}

/** Oneself, or an administrator. */
function allowOnly(viewer: Viewer, id: number): void {
  if (viewer.userId !== id && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
}

/** Where on the server their files lie is the administrators' business. */
function shownTo(viewer: Viewer, account: Account) {
  const user = toWire(account)
  return viewer.access.may.admin ? user : { ...user, scope: '' }
}
