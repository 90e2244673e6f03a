import { act, cleanup, fireEvent, render, screen, userEvent, waitFor, withDocument, within } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import type { Gesture, OutsideChange } from '../../../../shared/contract/operations.ts'
import type { Permissions } from '../../../../shared/contract/users.ts'
import { type FilePath, parseFilePath } from '../../../../shared/file-path.ts'
import { usePrompts } from '../../../data/prompts.ts'
import { useSession } from '../../../data/session.ts'
import { registerUndoer } from '../../../data/undo.ts'
import { NONE } from '../../../widgets/test-permissions.ts'
import { Activity } from './activity.tsx'
import { ANN, gesture, item } from './test-gestures.ts'

withDocument()

const DOCS = parseFilePath('/docs')
const RENAMED = gesture(1, '10:00', [item('move', '/docs/new.txt', { origin: '/docs/old.txt' })])
const CHANGED = gesture(2, '09:00', [item('replace', '/docs/deep/a.txt')], { by: 'bob', mine: false, undoable: false, via: 'api' })
const ADDED = gesture(
  3,
  '08:00',
  [1, 2, 3, 4, 5].map((n) => item('create', `/docs/${n}.jpg`)),
  { total: 214 },
)
const DELETED = gesture(4, '07:00', [item('delete', '/docs/x.txt', { state: 'undone' })], { undoable: false })

let fetched: Mock<typeof fetch>
let gestures: readonly Gesture[]
let outside: readonly OutsideChange[]
let next: string | null
let status: number
/** Queries of the requests for gestures. */
let asked: string[]

beforeEach(() => {
  gestures = [RENAMED, CHANGED, ADDED, DELETED]
  outside = []
  next = null
  status = 200
  asked = []
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (request: string | URL | Request) => {
    const { pathname, search } = new URL(request instanceof Request ? request.url : request.toString(), 'http://satchel.test')
    if (pathname !== '/api/operations') return Response.json([])
    asked.push(decodeURIComponent(search))
    if (status !== 200) return Response.json({ code: 'not-found', detail: {} }, { status })
    return search.includes('after=')
      ? Response.json({ gestures: [DELETED], outside: [], next: null })
      : Response.json({ gestures, outside, next })
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  cleanup()
  fetched.mockRestore()
  useSession.setState({ user: null })
  usePrompts.setState({ shown: [], waiting: [] })
})

function show({
  isDir = true,
  perm = { delete: true },
  path = DOCS,
}: { isDir?: boolean; perm?: Partial<Permissions>; path?: FilePath } = {}) {
  useSession.setState({ user: { ...ANN, perm: { ...NONE, ...perm } }, ended: null })
  const onGo = mock()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Activity path={path} isDir={isDir} onGo={onGo} />
    </QueryClientProvider>,
  )
  return { onGo }
}

const entries = async () =>
  (await screen.findAllByText(/.+/, { selector: '[data-part=gesture] > * > p:first-child' })).map((one) => one.closest('li') as HTMLElement)
const buttons = (name: RegExp) => screen.queryAllByRole('button', { name }).map((one) => one.getAttribute('aria-label'))

describe('the activity of a folder', () => {
  it('says what was done, by whom, when and how, with links to what is still there', async () => {
    const { onGo } = show()
    const [renamed = document.body, changed = document.body, added = document.body, deleted = document.body] = await entries()
    expect(asked).toEqual(['?path=/docs&below=true&limit=50'])
    expect(renamed.textContent).toMatch(/^Renamednew\.txtFormerly old\.txtYou/)
    expect(changed.textContent).toMatch(/^Changeda\.txtin docs\/deepbob.*API$/)
    expect(added.textContent).toMatch(/^Added · 2141\.jpg2\.jpg3\.jpgShow moreYou/)
    expect(deleted.textContent).toMatch(/^DeletedUndonex\.txtYou/)
    const link = within(changed).getByRole('link', { name: 'a.txt' })
    expect(link.getAttribute('href')).toBe('/files/docs/deep/a.txt')
    fireEvent.click(link)
    expect(onGo.mock.calls).toEqual([['/files/docs/deep/a.txt']])
    await userEvent.click(within(added).getByRole('button', { name: 'Show more' }))
    expect(added.textContent).toContain('5.jpgand 209 more')
  })

  it('is filtered by person and kind, and to the folder itself', async () => {
    show()
    await entries()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person', hidden: true }), 'bob')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Change', hidden: true }), 'move')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show', hidden: true }), 'itself')
    await waitFor(() => expect(asked.at(-1)).toBe('?path=/docs&by=bob&kind=move&limit=50'))
  })

  it('offers Undo for what the user can take back, and a rewind to each moment', async () => {
    const taken: string[] = []
    const other = { undo: () => undefined, redo: () => undefined, onDone: () => undefined }
    const stop = registerUndoer({ ...other, gesture: ({ group }) => void taken.push(group) })
    show()
    await entries()
    expect(buttons(/^Undo/)).toEqual(['Undo: Renamed: new.txt', 'Undo: Added · 214'])
    await userEvent.click(screen.getByRole('button', { name: 'Undo: Renamed: new.txt' }))
    expect(taken).toEqual([RENAMED.group])
    stop()
    expect(buttons(/^Rewind to here/)).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: /^Rewind to here… Changed: a.txt/ }))
    expect(usePrompts.getState().shown.map(({ kind, props }) => ({ kind, props }))).toEqual([
      { kind: 'rewind', props: { path: DOCS, to: CHANGED.at } },
    ])
  })

  it('offers no rewind to somebody who may not change anything, nor for a file', async () => {
    show({ perm: { download: true } })
    await entries()
    expect(buttons(/Rewind/)).toEqual([])
    cleanup()
    show({ isDir: false, path: parseFilePath('/docs/new.txt') })
    await entries()
    expect(buttons(/Rewind/)).toEqual([])
    expect(asked.at(-1)).toBe('?path=/docs/new.txt&limit=50')
  })

  it('shows what other programs changed at its time, with numbers and links, and neither Undo nor Rewind', async () => {
    gestures = [RENAMED, CHANGED]
    const named = (change: 'appeared' | 'changed' | 'gone', path: string) => ({ change, path, isDir: false })
    outside = [
      {
        id: RENAMED.group,
        at: '2026-11-21T09:30:00.000Z',
        counts: { appeared: 998, changed: 1, gone: 1 },
        items: [
          named('appeared', '/docs/a.jpg'),
          named('changed', '/docs/deep/b.txt'),
          named('gone', '/docs/c.txt'),
          named('appeared', '/docs/d.jpg'),
        ],
      },
    ]
    const { onGo } = show()
    await entries()
    const row = document.querySelector('[data-part=outside]') as HTMLElement
    const order = [...document.querySelectorAll('li[data-kind]')].map((one) => one.getAttribute('data-kind'))
    expect(order).toEqual(['rename', 'outside', 'replace'])
    expect(row.textContent).toMatch(/^Changed by another program · 1,000a\.jpgAddedb\.txtChangedin docs\/deepc\.txtDeletedShow more/)
    expect(row.textContent).toEndWith('Can’t be undone here; snapshots may have the earlier state')
    expect(within(row).queryByRole('link', { name: 'c.txt' })).toBeNull()
    fireEvent.click(within(row).getByRole('link', { name: 'b.txt' }))
    expect(onGo.mock.calls).toEqual([['/files/docs/deep/b.txt']])
    await userEvent.click(within(row).getByRole('button', { name: 'Show more' }))
    expect(row.textContent).toContain('d.jpgAddedand 996 more')
    expect(within(row).queryAllByRole('button')).toEqual([])
  })

  it('has further pages, of which the first may be empty', async () => {
    gestures = []
    next = RENAMED.group
    show()
    await act(async () => (await screen.findByRole('button', { name: 'Show more' })).click())
    expect((await entries()).map((one) => one.textContent)).toEqual([expect.stringContaining('x.txt')])
    expect(asked.at(-1)).toBe(`?path=/docs&below=true&after=${RENAMED.group}&limit=50`)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('says that there is none, and what has gone wrong', async () => {
    gestures = []
    show()
    expect(await screen.findByRole('heading', { name: 'No activity yet' })).toBeTruthy()
    cleanup()
    status = 404
    show()
    expect(within(await screen.findByRole('alert')).getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
