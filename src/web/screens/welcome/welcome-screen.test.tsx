import { act, hasFocus, render, screen, userEvent, waitFor, withDocument } from '../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import type { FirstMinute, User } from '../../../shared/contract/users.ts'
import { useNotices } from '../../data/notices.ts'
import { showStepResult, useSession } from '../../data/session.ts'
import { forgetStepResult, keptStepResult } from '../../data/step-result.ts'
import { randomPassword } from './random-password.ts'
import { WelcomeScreen } from './welcome-screen.tsx'

withDocument()

let fetched: Mock<typeof fetch>
/** `POST /api/welcome {…}` of each call that has left. */
let sent: string[] = []
let refused: { status: number; body: string } | null = null

beforeEach(() => {
  sent = []
  refused = null
  fetched = spyOn(globalThis, 'fetch')
  const answer = async (address: string | URL | Request, init?: RequestInit) => {
    const { method, url, body } = new Request(address instanceof Request ? address : new URL(address, 'http://satchel.test'), init)
    sent.push(`${method} ${new URL(url).pathname} ${await new Response(body).text()}`.trim())
    const headers = { 'content-type': 'application/json' }
    return refused === null ? new Response('', { status: 200 }) : new Response(refused.body, { status: refused.status, headers })
  }
  fetched.mockImplementation(Object.assign(answer, { preconnect: () => undefined }))
})
afterEach(() => {
  fetched.mockRestore()
  forgetStepResult()
  useNotices.setState({ shown: [], past: [] })
  useSession.setState({ token: null, user: null, complete: false, firstMinute: {} })
})

function show(firstMinute: FirstMinute) {
  useSession.setState({ token: 'a.b.c', user: ROOT, complete: true, firstMinute })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WelcomeScreen />
    </QueryClientProvider>,
  )
}

const title = () => screen.getByRole('heading').textContent

describe('the welcome', () => {
  it('begins with a password of one’s own, which cannot be skipped', async () => {
    show({ mustChangePassword: true, welcome: ['language', 'link'] })
    expect(title()).toBe('Choose your own password')
    expect(screen.getByText('Step 1 of 5')).toBeTruthy()
    expect(screen.queryByText('Skip')).toBeNull()
    await waitFor(() => expect(hasFocus(screen.getByLabelText('New password'))).toBe(true))
    await userEvent.keyboard('my very own one')
    await userEvent.type(screen.getByLabelText('Confirm the new password'), 'my very own one{Enter}')
    await waitFor(() => expect(title()).toBe('Choose your language'))
    expect(sent[0]).toBe(
      'PUT /api/users/1 {"what":"user","which":["password"],"data":{"id":1,"password":"my very own one"},"replaces_printed":true}',
    )
    expect(useNotices.getState().shown).toEqual([])
  })

  it('tells the rule for passwords before anything is typed', () => {
    show({ mustChangePassword: true })
    const described = screen.getByLabelText('New password').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('At least 12 characters')
  })

  it('goes on, with a sentence, if the password was chosen in another window: what was typed here replaces nothing', async () => {
    refused = { status: 409, body: '{"code":"own-password-chosen","detail":{}}' }
    show({ mustChangePassword: true, welcome: ['link'] })
    await userEvent.type(screen.getByLabelText('New password'), 'my very own one')
    await userEvent.type(screen.getByLabelText('Confirm the new password'), 'my very own one{Enter}')
    await waitFor(() => expect(title()).toBe('Share a folder by link'))
    expect(useNotices.getState().shown.map(({ text }) => text)).toEqual([
      'Your password has already been chosen in another window. That one is valid.',
    ])
  })

  it('asks the server again when the window is looked at again', async () => {
    show({ mustChangePassword: true })
    expect(sent).toEqual([])
    window.dispatchEvent(new Event('focus'))
    await waitFor(() => expect(sent).toEqual(['POST /api/renew']))
  })

  it('ends here too if another window has ended the session', async () => {
    refused = { status: 401, body: '{"code":"sign-in-needed","detail":{}}' }
    show({ mustChangePassword: true })
    await act(async () => window.dispatchEvent(new Event('focus')))
    await waitFor(() => expect(useSession.getState()).toMatchObject({ user: null, ended: 'refused' }))
  })

  it('keeps what a step has made through a reload, until the step is left, and for nobody else', async () => {
    useSession.setState({ token: 'a.b.c', user: ROOT })
    showStepResult({ step: 'person', username: 'ann', password: 'k7fm-abcd' })
    await waitFor(() => expect(sent).toEqual(['POST /api/welcome {"done":["person"]}']))
    expect(keptStepResult(2)).toBeNull()
    show({ welcome: ['person'] })
    expect(title()).toBe('ann can sign in')
    expect(screen.getByText('k7fm-abcd')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(title()).toBe('Satchel is ready'))
    expect(keptStepResult(1)).toBeNull()
  })

  it('says at the field that the printed password is none of one’s own', async () => {
    refused = { status: 400, body: '{"code":"invalid-input","detail":{"issues":["data.password: printed"]}}' }
    show({ mustChangePassword: true })
    await userEvent.type(screen.getByLabelText('New password'), 'printed password')
    await userEvent.type(screen.getByLabelText('Confirm the new password'), 'printed password{Enter}')
    expect(await screen.findByText('This is the password that was printed. Choose another one.')).toBeTruthy()
    expect(title()).toBe('Choose your own password')
  })

  it('leaves a question out by “Skip”, and all that are left by “Skip the rest”', async () => {
    show({ welcome: ['language', 'link'] })
    await waitFor(() => expect(hasFocus(screen.getByLabelText('Language'))).toBe(true))
    await userEvent.click(screen.getByText('Skip'))
    await waitFor(() => expect(title()).toBe('Share a folder by link'))
    expect(screen.getByText('Step 5 of 5')).toBeTruthy()
    // The last one has no rest.
    expect(screen.queryByText('Skip the rest')).toBeNull()
    await userEvent.click(screen.getByText('Skip'))
    await waitFor(() => expect(title()).toBe('Satchel is ready'))
    await userEvent.keyboard('{Enter}')
    expect(useSession.getState().firstMinute).toEqual({})
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([
      'POST /api/welcome {"done":["language"]}',
      'POST /api/welcome {"done":["link"]}',
    ])
  })

  it('skips everything in one call', async () => {
    show({ welcome: ['language', 'link'] })
    await userEvent.click(screen.getByText('Skip the rest'))
    await waitFor(() => expect(title()).toBe('Satchel is ready'))
    expect(sent).toContain('POST /api/welcome {"done":["language","link"]}')
  })

  it('stays at a question that the server did not hear', async () => {
    refused = { status: 503, body: '{"code":"offline","detail":{}}' }
    show({ welcome: ['language', 'link'] })
    await userEvent.click(screen.getByText('Skip'))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(title()).toBe('Choose your language')
  })

  it('says what is wrong with the name of a folder before anything is made', async () => {
    show({ welcome: ['link'] })
    const field = screen.getByLabelText('Name of the folder')
    await userEvent.clear(field)
    await userEvent.type(field, 'a/b{Enter}')
    expect(await screen.findByText('Names can’t contain a slash.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('proposes passwords that are never the same, and can be read out', () => {
    const made = Array.from({ length: 100 }, randomPassword)
    expect(new Set(made).size).toBe(100)
    for (const one of made) expect(one).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/)
  })
})

const ALL = { admin: true, execute: true, create: true, rename: true, modify: true, delete: true, share: true, download: true }
const ROOT: User = {
  id: 1,
  username: 'root',
  password: '',
  scope: '',
  locale: '',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: ALL,
  commands: [],
  sorting: { by: 'name', asc: true },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
  disabled: false,
}
