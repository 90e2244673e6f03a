import { render, screen, userEvent, waitFor, withDocument } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import type { Permissions, User } from '../../../../shared/contract/users.ts'
import { parseFilePath as at } from '../../../../shared/file-path.ts'
import { answer, usePrompts } from '../../../data/prompts.ts'
import { useSession } from '../../../data/session.ts'
import { TokenDialog } from './token-dialog.tsx'

withDocument()

const SECRET = `satchel_${'x'.repeat(46)}`
let fetched: Mock<typeof fetch>
let sent: unknown[] = []

beforeEach(() => {
  sent = []
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (address: string | URL | Request, init?: RequestInit) => {
    const { body } = new Request(address instanceof Request ? address : new URL(address, 'http://satchel.test'), init)
    sent.push(JSON.parse(await new Response(body).text()))
    return Response.json({ ...MADE, perm: NONE, token: SECRET })
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  fetched.mockRestore()
  useSession.setState({ token: null, user: null })
  usePrompts.setState({ shown: [], waiting: [] })
})

const MADE = {
  id: '1',
  name: 'backup',
  userID: 1,
  username: 'ann',
  folder: '/',
  created: 0,
  createdBy: 'ann',
  expires: null,
  lastUsed: null,
  lastAddress: '',
}

function show(perm: Permissions) {
  const [onAnswer, onDismiss] = [mock(), mock()]
  // Only the permissions are asked for.
  useSession.setState({ token: 'a.b.c', user: { id: 1, username: 'ann', perm } as User })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TokenDialog onAnswer={() => onAnswer()} onDismiss={() => onDismiss()} />
    </QueryClientProvider>,
  )
  return { onAnswer, onDismiss }
}

const box = (name: string) => screen.queryByRole<HTMLInputElement>('checkbox', { name })

describe('the dialog for a new API token', () => {
  it('offers the rights that one has, with only reading chosen, and needs a name', async () => {
    show({ ...NONE, download: true, create: true })
    expect(screen.getAllByRole('checkbox').map((one) => [one.parentElement?.textContent, (one as HTMLInputElement).checked])).toEqual([
      ['Download', true],
      ['Create files and folders', false],
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
    expect(screen.getByText('Enter a name')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('sends what was chosen, and shows the token until it is closed by its button', async () => {
    const { onAnswer, onDismiss } = show({ ...NONE, download: true, create: true })
    await userEvent.type(screen.getByLabelText('Name'), 'backup')
    await userEvent.click(screen.getByRole('radio', { name: 'Never' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
    await waitFor(() => expect(screen.getByText(SECRET)).toBeTruthy())
    expect(sent).toEqual([{ name: 'backup', perm: { ...NONE, download: true }, folder: '/', expires: null }])
    await userEvent.keyboard('{Escape}')
    expect([onDismiss.mock.calls.length, screen.getByText(SECRET).tagName]).toEqual([0, 'CODE'])
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(onAnswer).toHaveBeenCalledTimes(1)
  })

  it('takes administration away where one folder is chosen', async () => {
    show({ ...NONE, admin: true })
    const admin = box('Administrator')
    if (admin === null) throw new Error('administration is not offered')
    await userEvent.click(admin)
    expect([box('Delete files and folders')?.checked, screen.getAllByRole('status')[0]?.textContent]).toEqual([
      true,
      expect.stringContaining('never accounts') as string,
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Choose a folder' }))
    const [question] = usePrompts.getState().shown
    expect(question?.kind).toBe('choose-folder')
    answer(question?.id ?? 0, at('/inbox'))
    await waitFor(() => expect(screen.getByText('/inbox')).toBeTruthy())
    expect([box('Administrator')?.checked, box('Administrator')?.disabled]).toEqual([false, true])
  })
})

const NONE: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
}
