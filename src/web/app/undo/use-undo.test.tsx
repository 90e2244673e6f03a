import { cleanup, fireEvent, render, screen, waitFor, withDocument } from '../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { useNotices } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { useKnownLatest } from '../../data/operations.ts'
import { undoGesture, undoLatest, whenEnded, withGesture } from '../../data/undo.ts'
import { ANN, gesture, item } from '../../screens/files/activity/test-gestures.ts'
import { gestureText } from '../../widgets/gesture-text.ts'
import { useUndo } from './use-undo.ts'

withDocument()

const RENAMED = gesture(1, '10:00', [item('move', '/docs/new.txt', { origin: '/docs/old.txt' })])

let fetched: Mock<typeof fetch>
/** What changes something, in order. */
let asked: string[]
let latest: { undo: unknown; redo: unknown }
let status: number

beforeEach(() => {
  asked = []
  latest = { undo: RENAMED, redo: RENAMED }
  status = 200
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (request: string | URL | Request, options?: RequestInit) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request.toString(), 'http://satchel.test')
    const method = request instanceof Request ? request.method : (options?.method ?? 'GET')
    if (pathname === '/api/operations/latest') return Response.json(latest)
    if (method !== 'POST') return Response.json([])
    asked.push(pathname)
    if (status !== 200) return Response.json({ code: 'not-found', detail: {} }, { status })
    return Response.json({ items: [{ kind: 'move', path: '/docs/old.txt', outcome: 'done' }], group: RENAMED.group, job: null })
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(async () => {
  await whenEnded()
  cleanup()
  fetched.mockRestore()
  useSession.setState({ user: null })
  useNotices.setState({ shown: [], past: [] })
})

/** As a menu that is open: it names what is next. */
function Menu() {
  const undo = useKnownLatest()?.undo
  return <p>{undo ? gestureText(undo) : 'unknown'}</p>
}

function Page() {
  useUndo()
  return (
    <>
      <Menu />
      <input aria-label="Name" />
      <button type="button">Go</button>
    </>
  )
}

function show({ signedIn = true }: { signedIn?: boolean } = {}) {
  if (signedIn) useSession.setState({ user: ANN, ended: null })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={queries}>
      <Page />
    </QueryClientProvider>,
  )
}

const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ctrlKey: true, ...more })
const texts = () => useNotices.getState().shown.map(({ text }) => text)
const UNDO = `/api/operations/${RENAMED.group}/undo`
const REDO = `/api/operations/${RENAMED.group}/redo`

it('a menu that is open already names what is next to undo once that is known, and after each gesture', async () => {
  show()
  expect(screen.getByText('unknown')).toBeTruthy()
  await screen.findByText(gestureText(RENAMED), {}, { timeout: 5000 })
  const deleted = gesture(2, '10:01', [item('delete', '/docs/gone.txt')])
  latest = { undo: deleted, redo: null }
  await withGesture(async () => undefined)
  await screen.findByText(gestureText(deleted))
}, 10_000)

describe('the keys of undo and redo', () => {
  it('take back what the server knows as the latest, and say what it was', async () => {
    show()
    press('z')
    await waitFor(() => expect(texts()).toEqual(['“old.txt” moved back']))
    expect(asked).toEqual([UNDO])
  })

  it('do it again by Ctrl+Shift+Z and by Ctrl+Y', async () => {
    show()
    press('Z', { shiftKey: true })
    await waitFor(() => expect(texts()).toEqual(['Redone: Rename “new.txt”']))
    press('y')
    await waitFor(() => expect(asked).toEqual([REDO, REDO]))
    await waitFor(() => expect(texts()).toEqual(['Redone: Rename “new.txt”', 'Redone: Rename “new.txt”']))
  })

  it('are left to fields, to other keys, and to pages without anybody signed in', async () => {
    show()
    press('z', {}, screen.getByRole('textbox', { name: 'Name' }))
    press('z', { altKey: true })
    press('y', { shiftKey: true })
    press('x')
    cleanup()
    useSession.setState({ user: null })
    show({ signedIn: false })
    press('z')
    undoLatest()
    await new Promise((resolve) => void setTimeout(resolve, 50))
    expect([asked, texts()]).toEqual([[], []])
  })

  it('say that there is nothing, also if it has gone meanwhile', async () => {
    latest = { undo: null, redo: null }
    show()
    press('z')
    await waitFor(() => expect(texts()).toEqual(['Nothing to undo']))
    press('y')
    await waitFor(() => expect(texts()).toEqual(['Nothing to undo', 'Nothing to redo']))
    latest = { undo: RENAMED, redo: null }
    status = 404
    press('z')
    await waitFor(() => expect(texts()).toEqual(['Nothing to undo', 'Nothing to redo', 'Nothing to undo']))
    expect(asked).toEqual([UNDO])
  })

  it('wait for what still runs, and take back that', async () => {
    show()
    let end: () => void = () => undefined
    let group = ''
    const running = withGesture((one) => {
      group = one.group
      return new Promise<void>((resolve) => (end = resolve))
    })
    press('z')
    await waitFor(() => expect(texts()).toEqual(['This will be undone as soon as it has ended…']))
    expect(asked).toEqual([])
    end()
    await running
    await waitFor(() => expect(asked).toEqual([`/api/operations/${group}/undo`]))
  })

  it('do nothing of a waiting undo that was cancelled, nor of what changed nothing', async () => {
    show()
    let end: () => void = () => undefined
    const running = withGesture(() => new Promise<void>((resolve) => (end = resolve)))
    press('z')
    await waitFor(() => expect(texts()).toHaveLength(1))
    useNotices.getState().shown[0]?.actions?.[0]?.run()
    end()
    await running
    await withGesture(
      async (one) => undoGesture(one),
      () => false,
    )
    await new Promise((resolve) => void setTimeout(resolve, 50))
    expect(asked).toEqual([])
  })
})
