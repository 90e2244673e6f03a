import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import type { User } from '../../shared/contract/users.ts'
import { saveProfile, useSession } from './session.ts'

let fetched: Mock<typeof fetch>
/** The saves that have left, each to be answered by the test. */
let sent: PromiseWithResolvers<Response>[] = []

beforeEach(() => {
  sent = []
  fetched = spyOn(globalThis, 'fetch')
  const answer = () => {
    const reply = Promise.withResolvers<Response>()
    sent.push(reply)
    return reply.promise
  }
  fetched.mockImplementation(Object.assign(answer, { preconnect: () => undefined }))
  useSession.setState({ token: 'a.b.c', user: ANN, complete: true, ended: null })
})
afterEach(() => {
  fetched.mockRestore()
  useSession.setState({ token: null, user: null, complete: false, ended: null })
})

describe('a save of one’s own record that is refused', () => {
  it('B1: does not restore a user who has signed out in the meantime', async () => {
    const save = saveProfile({ locale: 'de' })
    await left(1)
    useSession.setState({ token: null, user: null, complete: false })
    refuse(0)
    expect(await failed(save)).toBe(true)
    expect(useSession.getState()).toMatchObject({ token: null, user: null })
  })

  it('B1: does not change a user who has signed in instead', async () => {
    const save = saveProfile({ locale: 'de' })
    await left(1)
    useSession.setState({ user: { ...ANN, id: 2, username: 'ben', locale: 'fr' } })
    refuse(0)
    expect(await failed(save)).toBe(true)
    expect(useSession.getState().user).toMatchObject({ id: 2, locale: 'fr' })
  })

  it('B2: rolls back its own fields, but not those of another save', async () => {
    const first = saveProfile({ locale: 'de', hideDotfiles: true })
    const second = saveProfile({ viewMode: 'mosaic', locale: 'fr' })
    await left(1)
    refuse(0)
    expect(await failed(first)).toBe(true)
    expect(useSession.getState().user).toEqual({ ...ANN, viewMode: 'mosaic', locale: 'fr' })
    await left(2)
    accept(1)
    await second
    expect(useSession.getState().user).toEqual({ ...ANN, viewMode: 'mosaic', locale: 'fr' })
  })

  it('B2: restores the values accepted before it', async () => {
    const first = saveProfile({ locale: 'de' })
    const second = saveProfile({ locale: 'fr' })
    await left(1)
    accept(0)
    await first
    await left(2)
    refuse(1)
    expect(await failed(second)).toBe(true)
    expect(useSession.getState().user).toEqual({ ...ANN, locale: 'de' })
  })
})

function accept(at: number): void {
  sent[at]?.resolve(new Response('', { status: 200 }))
}

function refuse(at: number): void {
  sent[at]?.resolve(
    new Response('{"code":"forbidden","detail":{"right":"own"}}', { status: 403, headers: { 'content-type': 'application/json' } }),
  )
}

function failed(save: Promise<void>): Promise<boolean> {
  return save.then(
    () => false,
    () => true,
  )
}

async function left(count: number): Promise<void> {
  while (sent.length < count) await new Promise<void>((resolve) => void setImmediate(resolve))
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
const ANN: User = {
  id: 1,
  username: 'ann',
  password: '',
  scope: '/',
  locale: 'en',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: PERM,
  commands: [],
  sorting: { by: 'name', asc: true },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
  disabled: false,
}
