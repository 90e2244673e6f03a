import { act, cleanup, hasFocus, render, screen, userEvent, waitFor, withDocument } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { usePrompts } from '../../../data/prompts.ts'
import { BEGINNING } from '../../../data/rewind.ts'
import { useSession } from '../../../data/session.ts'
import { RewindDialog } from './rewind-dialog.tsx'
import { ANN, gesture, item } from './test-gestures.ts'

withDocument()

const DOCS = parseFilePath('/docs')
const LATEST = gesture(1, '10:00', [item('delete', '/docs/b.txt')], { by: 'bob', mine: false })
const MIDDLE = gesture(2, '09:00', [item('replace', '/docs/a.txt')])
const FIRST = gesture(3, '08:00', [item('create', '/docs/a.txt')])
const NOTHING = { remove: 0, restore: 0, move: 0, content: 0, problems: 0 }
const PLAN = {
  changes: [
    { change: 'restore', path: '/docs/b.txt', to: null, isDir: false, problem: null },
    { change: 'move', path: '/docs/new.txt', to: '/docs/old.txt', isDir: false, problem: null },
    { change: 'content', path: '/docs/deep/a.txt', to: null, isDir: false, problem: 'changed' },
  ],
  counts: { ...NOTHING, restore: 12, move: 1, problems: 1 },
  knownSince: '2026-11-21T08:30:00.000Z',
}

let fetched: Mock<typeof fetch>
let plan: typeof PLAN
/** Queries of the requests for previews. */
let asked: string[]

beforeEach(() => {
  plan = PLAN
  asked = []
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (request: string | URL | Request) => {
    const { pathname, search } = new URL(request instanceof Request ? request.url : request.toString(), 'http://satchel.test')
    if (pathname === '/api/operations') return Response.json({ gestures: [LATEST, MIDDLE, FIRST], outside: [], next: null })
    asked.push(decodeURIComponent(search))
    return Response.json(plan)
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  cleanup()
  fetched.mockRestore()
  useSession.setState({ user: null })
  usePrompts.setState({ shown: [], waiting: [] })
})

function show(to: string | null = null) {
  useSession.setState({ user: ANN, ended: null })
  const onAnswer = mock()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RewindDialog path={DOCS} to={to} onAnswer={onAnswer} onDismiss={mock()} />
    </QueryClientProvider>,
  )
  return { answers: () => onAnswer.mock.calls.map(([target]) => target) }
}

const options = async () => {
  await screen.findByRole('listbox', { name: /^Choose the last change/ })
  return screen.getAllByRole('option').filter((one) => one.tagName === 'LI')
}
const chosen = () => screen.getAllByRole('option', { selected: true }).find((one) => one.tagName === 'LI') ?? document.body
const submit = () => screen.getByRole('button', { name: 'Rewind' })

describe('rewinding a folder', () => {
  it('keeps the chosen change and undoes those above it; arrow keys choose', async () => {
    const { answers } = show(MIDDLE.at)
    const [latest, middle] = await options()
    expect(latest?.textContent).toMatch(/^Deleted: b.txt – will be undonebob/)
    expect(middle?.textContent).toMatch(/^Changed: a.txtYou/)
    expect(chosen()).toBe(middle ?? document.body)
    act(() => chosen().focus())
    await userEvent.keyboard('{ArrowDown}')
    expect([chosen().textContent?.startsWith('Added: a.txt'), hasFocus(chosen())]).toEqual([true, true])
    await userEvent.keyboard('{End}')
    expect(chosen().textContent).toBe('As far back as possible')
    await userEvent.keyboard('{Home}')
    await waitFor(() => expect(submit().getAttribute('aria-busy')).toBeNull())
    await userEvent.click(submit())
    expect(answers()).toEqual([{ path: DOCS, to: LATEST.at, by: '' }])
    expect(asked).toContain(`?path=/docs&to=${BEGINNING}`)
  })

  it('shows how much would be changed, the first changes, and what cannot be done', async () => {
    show(FIRST.at)
    const changes = await screen.findByRole('list', { name: 'First changes' })
    expect([...changes.children].map((one) => one.textContent?.replaceAll(/[\u2068\u2069]/g, ''))).toEqual([
      'b.txtRestore · in docs',
      'new.txtMove back: docs/old.txt · in docs',
      'a.txtChanged since then · in docs/deep',
    ])
    expect(screen.getByText('Restore', { selector: 'span' }).parentElement?.textContent).toBe('Restore12')
    expect(screen.getByText('Cannot be undone').parentElement?.textContent).toBe('Cannot be undone1')
    expect(screen.getByText('and 11 more')).toBeTruthy()
    expect(screen.getByText(/^Changes before .* are not known/)).toBeTruthy()
  })

  it('is limited to the changes of one person', async () => {
    const { answers } = show(MIDDLE.at)
    await options()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Undo the changes of' }), 'bob')
    await waitFor(() => expect(asked.at(-1)).toBe(`?path=/docs&to=${MIDDLE.at}&by=bob`))
    await waitFor(() => expect(submit().getAttribute('aria-disabled')).toBeNull())
    await userEvent.click(submit())
    expect(answers()).toEqual([{ path: DOCS, to: MIDDLE.at, by: 'bob' }])
  })

  it('goes to a date and time', async () => {
    const { answers } = show()
    await options()
    await userEvent.click(screen.getByRole('radio', { name: 'By time' }))
    await userEvent.type(screen.getByLabelText('Date and time'), '2026-11-20T12:30')
    await waitFor(() => expect(submit().getAttribute('aria-disabled')).toBeNull())
    await userEvent.click(submit())
    expect(answers()).toEqual([{ path: DOCS, to: new Date(2026, 10, 20, 12, 30).toISOString(), by: '' }])
  })

  it('does nothing without a moment, or if nothing was changed since', async () => {
    show()
    await options()
    expect(submit().getAttribute('aria-description')).toBe('Choose a moment')
    expect(asked).toEqual([])
    cleanup()
    plan = { ...PLAN, changes: [], counts: NOTHING }
    const { answers } = show(LATEST.at)
    await waitFor(() => expect(submit().getAttribute('aria-description')).toBe('Nothing to undo'))
    await userEvent.click(submit())
    expect(answers()).toEqual([])
  })
})
