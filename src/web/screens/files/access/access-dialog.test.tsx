import { cleanup, render, screen, userEvent, waitFor, withDocument } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, mock, type Mock, spyOn } from 'bun:test'
import type { AccessEntry } from '../../../../shared/contract/groups.ts'
import { ROLES } from '../../../../shared/contract/rights.ts'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { AccessDialog } from './access-dialog.tsx'

withDocument()

const TEAM = { kind: 'group', id: 3, name: 'team' } as const
const ANN = { kind: 'user', id: 2, name: 'ann' } as const

let fetched: Mock<typeof fetch>
let entries: AccessEntry[]
/** Bodies of `PUT /api/access/…`. */
let sent: unknown[]

beforeEach(() => {
  entries = [
    { who: TEAM, rights: [...ROLES.viewer], from: '/docs' },
    { who: ANN, rights: [...ROLES.editor], from: '/' },
  ]
  sent = []
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (request: string | URL | Request, { method = 'GET', body }: RequestInit = {}) => {
    const address = request instanceof Request ? request.url : request.toString()
    if (method === 'PUT') {
      sent.push(JSON.parse(typeof body === 'string' ? body : ''))
      return new Response('')
    }
    if (address.includes('/api/groups')) return Response.json([])
    if (address.includes('/api/users')) return Response.json([])
    return Response.json({ entries })
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  cleanup()
  fetched.mockRestore()
})

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <AccessDialog path={parseFilePath('/docs')} onAnswer={mock()} onDismiss={mock()} />
    </QueryClientProvider>,
  )
}

it('shows who has which role here, and where what comes from above comes from', async () => {
  show()
  expect(await screen.findByRole('combobox', { name: 'Role of team (group)' })).toHaveProperty('value', 'viewer')
  const inherited = screen.getByRole('combobox', { name: 'Role of ann' })
  expect([inherited.getAttribute('disabled') !== null, screen.queryByRole('button', { name: 'Remove ann' })]).toEqual([true, null])
  expect(screen.getByText(/^From /).textContent).toContain('From')
})

it('changes, removes and gives one role at a time', async () => {
  const person = userEvent.setup()
  show()
  await person.selectOptions(await screen.findByRole('combobox', { name: 'Role of team (group)' }), 'manager')
  await waitFor(() => expect(sent).toEqual([{ who: TEAM, rights: [...ROLES.manager] }]))
  await person.click(screen.getByRole('button', { name: 'Remove team (group)' }))
  await waitFor(() => expect(sent[1]).toEqual({ who: TEAM, rights: null }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add' }).getAttribute('aria-disabled')).toBe('true'))
  await person.selectOptions(screen.getByRole('combobox', { name: 'Person or group' }), 'everybody 0')
  await person.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'uploader')
  await person.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(sent[2]).toEqual({ who: { kind: 'everybody', id: 0, name: 'Everybody' }, rights: ['create'] }))
})

it('shows a set of rights that is no role as what it is', async () => {
  entries = [{ who: TEAM, rights: ['create', 'download', 'share'], from: '/docs' }]
  show()
  expect(await screen.findByRole('option', { name: 'Create files and folders, Share files, Download' })).toBeTruthy()
})
