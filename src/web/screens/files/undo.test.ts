import { withDocument } from '../../test-dom.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import { transferEntries } from '../../data/files.ts'
import { useNotices } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { userFromToken } from '../../data/token.ts'
import { removeConfirmed } from './deletion.ts'
import { runWithNotice } from './run-with-notice.ts'
import { offerUndo, undoLatest } from './undo.ts'

withDocument()

const queries = new QueryClient()
/** The requests in the order of their start, and how to answer them. */
let sent: { readonly call: string; readonly answer: (response: Response) => void }[]
let fetched: Mock<typeof fetch>

beforeEach(() => {
  const may = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: false, download: true }
  const claims = { exp: 1, iat: 1, user: { id: 1, viewMode: 'list', perm: may } }
  useSession.setState({ user: userFromToken(`a.${btoa(JSON.stringify(claims))}.c`), ended: null })
  useNotices.setState({ shown: [], past: [] })
  sent = []
  fetched = spyOn(globalThis, 'fetch')
  const hold = (address: unknown, init?: RequestInit) =>
    new Promise<Response>((answer) => void sent.push({ call: `${init?.method ?? 'GET'} ${String(address).split('?')[0]}`, answer }))
  fetched.mockImplementation(Object.assign(mock(hold), { preconnect: () => undefined }))
})
afterEach(() => {
  fetched.mockRestore()
  sessionStorage.clear()
  useSession.setState({ user: null, ended: null })
})

describe('Ctrl+Z while a gesture runs', () => {
  it('waits until the server has answered a move, and takes it back before an older deletion', async () => {
    await removed('/a.txt')
    const moving = move()
    undoLatest(queries)
    await expectCalls(['DELETE /api/resources/a.txt', 'PATCH /api/resources/b.txt'])
    expect(texts()).toContain('Undoing…')
    reply(200)
    await moving
    await expectCalls(['PATCH /api/resources/docs/b.txt'])
    reply(200)
    await expectText('Undone')
    expect(texts()).not.toContain('Undoing…')
    undoLatest(queries)
    await expectCalls([expect.stringMatching(/^POST \/api\/operations\/[0-9a-f-]{36}\/undo$/)])
  })

  it('pressed twice takes back the move and then the deletion, one after the other', async () => {
    await removed('/a.txt')
    const moving = move()
    undoLatest(queries)
    undoLatest(queries)
    await expectCalls(['DELETE /api/resources/a.txt', 'PATCH /api/resources/b.txt'])
    reply(200)
    await moving
    await expectCalls(['PATCH /api/resources/docs/b.txt'])
    reply(200)
    await expectCalls([expect.stringMatching(/^POST .*\/undo$/)])
  })

  it('means a running deletion, and takes nothing back if that fails', async () => {
    await removed('/a.txt')
    const removing = removeConfirmed(queries, [parseFilePath('/b.txt')])
    undoLatest(queries)
    await expectCalls(['DELETE /api/resources/a.txt', 'DELETE /api/resources/b.txt'])
    reply(403)
    await removing
    await expectCalls([])
    expect(texts()).toEqual(['“a.txt” moved to the trash', '“b.txt” was not deleted'])
    undoLatest(queries)
    await expectCalls([expect.stringMatching(/^POST .*\/undo$/)])
  })

  it('uses up the button of the notice, which takes back only once', async () => {
    const moving = move()
    undoLatest(queries)
    await expectCalls(['PATCH /api/resources/b.txt'])
    reply(200)
    await moving
    const button = useNotices.getState().shown.at(-1)?.actions?.[0]
    button?.run()
    await expectCalls(['PATCH /api/resources/docs/b.txt'])
  })
})

async function removed(path: string): Promise<void> {
  const removing = removeConfirmed(queries, [parseFilePath(path)])
  await until(() => sent.length === 1)
  reply(200, { 'x-satchel-operation': '1' })
  await removing
}

function move(): Promise<unknown> {
  const [from, to] = [parseFilePath('/b.txt'), parseFilePath('/docs/b.txt')]
  const change = { override: false, rename: false }
  const work = () => transferEntries(queries, 'move', [{ from, to, ...change }])
  const back = async () => void (await transferEntries(queries, 'move', [{ from: to, to: from, ...change }]))
  return runWithNotice('move', [from], work, (_, gesture) => ({
    actions: offerUndo(queries, gesture, async () => {
      await back()
      useNotices.setState(({ shown }) => ({ shown: [...shown, { id: -1, tone: 'success', text: 'Undone', at: new Date() }] }))
    }),
  }))
}

/** Answers the latest request. */
function reply(status: number, headers: Record<string, string> = {}): void {
  sent.at(-1)?.answer(new Response(null, { status, headers }))
}

let seen = 0
beforeEach(() => void (seen = 0))

/** The requests since the last call are these, and no further one comes. */
async function expectCalls(calls: readonly unknown[]): Promise<void> {
  await until(() => sent.length >= seen + calls.length)
  await Bun.sleep(20)
  expect<unknown[]>(sent.slice(seen).map(({ call }) => call)).toEqual([...calls])
  seen = sent.length
}

async function expectText(text: string): Promise<void> {
  await until(() => texts().includes(text))
  expect(texts()).toContain(text)
}

function texts(): string[] {
  return useNotices.getState().shown.map((notice) => notice.text)
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !done(); tries += 1) await Bun.sleep(5)
}
