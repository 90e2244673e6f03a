import { act, cleanup, hasFocus, render, screen, userEvent, waitFor, withDocument } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import type { Permissions, User } from '../../../../shared/contract/users.ts'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { useNotices } from '../../../data/notices.ts'
import { answer, usePrompts } from '../../../data/prompts.ts'
import { useSession } from '../../../data/session.ts'
import { NONE } from '../../../widgets/test-permissions.ts'
import { VersionsDialog } from './versions-dialog.tsx'

withDocument()

const FILE = { path: parseFilePath('/docs/plan.zip'), name: 'plan.zip', type: 'blob' as const }
const POLICY = { days: 365, share: 10, keeps: true }
const CURRENT = { size: 3_000_000, modified: '2026-11-20T10:00:00Z' }
const LATER = { id: 'b', at: '2026-11-20T10:00:00Z', by: 'ann', size: 2_000_000, modified: '2026-11-19T10:00:00Z' }
const EARLIER = { id: 'a', at: '2026-11-19T10:00:00Z', by: '', size: 1_000_000, modified: '2026-11-18T10:00:00Z' }

let fetched: Mock<typeof fetch>
let versions: readonly (typeof LATER)[]
let policy: typeof POLICY
let current: typeof CURRENT
/** `DELETE /api/versions/…` of each call. */
let sent: string[]

beforeEach(() => {
  versions = [LATER, EARLIER]
  policy = POLICY
  current = CURRENT
  sent = []
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (request: string | URL | Request, { method = 'GET' }: RequestInit = {}) => {
    const address = request instanceof Request ? request.url : request.toString()
    sent.push(`${method} ${address}`)
    if (method !== 'DELETE') return Response.json({ current, versions, policy })
    versions = versions.filter(({ id }) => !address.endsWith(`id=${id}`))
    return new Response(null, { status: 204 })
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  cleanup()
  fetched.mockRestore()
  useSession.setState({ user: null })
  usePrompts.setState({ shown: [], waiting: [] })
  useNotices.setState({ shown: [], past: [] })
})

function show(rights: Partial<Permissions> = { download: true, modify: true, delete: true }, { unsaved = false } = {}) {
  useSession.setState({ user: { ...ANN, perm: { ...NONE, ...rights } }, ended: null })
  const onAnswer = mock()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <VersionsDialog file={FILE} unsaved={unsaved} onAnswer={onAnswer} onDismiss={mock()} />
    </QueryClientProvider>,
  )
  return { restored: () => onAnswer.mock.calls.map(([content]) => content.id) }
}

const options = async () => (await screen.findAllByRole('option')).map((option) => option.textContent ?? '')
const chosen = () => screen.getByRole('option', { selected: true })
const button = (name: string) => screen.queryByRole('button', { name })

/** Answers the confirmation that is asked for. */
async function confirm(title: string, yes: boolean): Promise<void> {
  await waitFor(() => expect(usePrompts.getState().shown.map(({ props }) => props)).toMatchObject([{ title, danger: true }]))
  const [question] = usePrompts.getState().shown
  await act(async () => {
    answer(question?.id ?? 0, yes ? true : null)
    usePrompts.setState({ shown: [] })
    await Bun.sleep(0)
  })
}

describe('the versions of a file', () => {
  it('are listed below the present content, with who replaced them; the newest of them is chosen', async () => {
    show()
    const [first, second = '', third] = await options()
    expect(first).toMatch(/^Current version.*20.*2026/)
    expect(second).toMatch(/19.*2026.*Replaced by \u2068ann\u2069 · /)
    expect(third).toMatch(/18.*2026.*Replaced · /)
    expect(sent).toContain('GET /api/versions/docs/plan.zip')
    expect(chosen().textContent).toBe(second)
    const downloads = screen.getAllByRole('link', { name: 'Download' }).map((link) => link.getAttribute('href'))
    expect(new Set(downloads)).toEqual(new Set<string | null>(['/api/versions/docs/plan.zip?id=b']))
  })

  it('are chosen by arrow keys, and the present content is neither restored nor deleted', async () => {
    const { restored } = show()
    await options()
    act(() => chosen().focus())
    await userEvent.keyboard('{End}')
    expect([chosen().textContent?.includes('18'), hasFocus(chosen())]).toEqual([true, true])
    await userEvent.click(button('Restore') ?? chosen())
    expect(restored()).toEqual(['a'])
    act(() => chosen().focus())
    await userEvent.keyboard('{Home}')
    expect(chosen().textContent).toStartWith('Current version')
    expect([button('Restore'), button('Delete version')]).toEqual([null, null])
  })

  it('are deleted only after a question, and the next one is chosen', async () => {
    show()
    await options()
    await userEvent.click(button('Delete version') ?? chosen())
    await confirm('Delete this version?', false)
    expect(sent.filter((one) => one.startsWith('DELETE'))).toEqual([])
    await userEvent.click(button('Delete version') ?? chosen())
    await confirm('Delete this version?', true)
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    expect(sent).toContain('DELETE /api/versions/docs/plan.zip?id=b')
    expect(chosen().textContent).toContain('18')
  })

  it('can only be looked at without the right to modify, and not without the right to download', async () => {
    show({ download: true, delete: true })
    await options()
    expect([button('Restore'), button('Delete version')]).toEqual([null, null])
    expect(screen.getAllByRole('link', { name: 'Download' }).length).toBeGreaterThan(0)
  })

  it('have no address without the right to download', async () => {
    show({ modify: true })
    await options()
    expect(screen.queryByRole('link', { name: 'Download' })).toBeNull()
    expect([button('Restore') !== null, button('Delete version')]).toEqual([true, null])
  })

  it('replace unsaved changes, or content that cannot be kept, only after a question', async () => {
    policy = { ...POLICY, keeps: false }
    const { restored } = show(undefined, { unsaved: true })
    await options()
    await userEvent.click(button('Restore') ?? chosen())
    await confirm('Discard changes?', true)
    await confirm('Replace the current version?', false)
    expect(restored()).toEqual([])
    await userEvent.click(button('Restore') ?? chosen())
    await confirm('Discard changes?', true)
    await confirm('Replace the current version?', true)
    await waitFor(() => expect(restored()).toEqual(['b']))
  })

  it.each([
    [{ days: 0, keeps: false }, 'Versions are off', 'What is overwritten cannot be restored.'],
    [{ days: 30, keeps: false }, 'No earlier versions', /^Earlier versions of this file cannot be kept/],
    [{ days: 30, keeps: true }, 'No earlier versions', /^When this file is changed or overwritten/],
  ])('say why there are none: %p', async (settings, title, text) => {
    versions = []
    policy = { ...POLICY, ...settings }
    show()
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('are not said to be impossible because the file is empty now', async () => {
    versions = []
    policy = { ...POLICY, keeps: false }
    current = { ...CURRENT, size: 0 }
    show()
    expect(await screen.findByText(/^When this file is changed or overwritten/)).toBeTruthy()
  })
})

const ANN: User = {
  id: 1,
  username: 'ann',
  password: '',
  scope: '',
  locale: '',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: NONE,
  commands: [],
  sorting: { by: 'name', asc: true },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
  disabled: false,
}
