import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { prefetchFirstFolder, takePrefetched } from './prefetch.ts'
import { useSession } from './session.ts'
import { userFromToken } from './token.ts'

const HERE = parseFilePath('/a b')
const HEARING = { onFirstRows: () => undefined }
const FILE = { path: '/a b', name: 'a b', size: 1, extension: '', modified: '', mode: 420, isDir: false, isSymlink: false, type: 'blob' }

describe('the prefetched folder', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  let fetched: Mock<typeof fetch>
  let stored: string | null
  beforeEach(() => {
    stored = tokenOf(1)
    globalThis.localStorage = { getItem: () => stored } as unknown as Storage
    useSession.setState({ user: userFromToken(tokenOf(1)) })
    fetched = spyOn(globalThis, 'fetch')
    fetched.mockResolvedValue(Response.json(FILE))
  })
  afterEach(() => {
    // Not merely undefined: test-dom.ts looks for what the runtime has.
    Reflect.deleteProperty(globalThis, 'localStorage')
    if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before)
    useSession.setState({ user: null })
    fetched.mockRestore()
  })

  it('is requested with the stored token, and used once', async () => {
    prefetchFirstFolder('/files/a%20b/')
    const [address, init] = fetched.mock.lastCall ?? []
    expect([address, new Headers(init?.headers).get('x-auth')]).toEqual(['/api/resources/a%20b', stored])
    expect(await takePrefetched(HERE, HEARING)).toMatchObject({ kind: 'file', file: FILE })
    expect(await takePrefetched(HERE, HEARING)).toBeNull()
  })

  it('is the root if the URL names no path', async () => {
    prefetchFirstFolder('/')
    expect(await takePrefetched(ROOT, HEARING)).toMatchObject({ kind: 'file', file: FILE })
  })

  it('gives the first rows to a late caller too', async () => {
    const head = { kind: 'rows', path: '/a b', name: 'a b', modified: '', sorting: { by: 'name', asc: false }, numDirs: 0, numFiles: 2 }
    const some = { ...head, names: ['a'], sizes: [1], modifieds: [1], types: [0] }
    const rest = new TransformStream<Uint8Array<ArrayBuffer>>()
    void rest.writable.getWriter().write(new TextEncoder().encode(`\x1e${JSON.stringify(some)}\n`))
    fetched.mockResolvedValueOnce(new Response(rest.readable, { headers: { 'content-type': ROWS_SEQUENCE_MEDIA_TYPE } }))
    prefetchFirstFolder('/files/a%20b')
    await Bun.sleep(0)
    const begun = Promise.withResolvers<unknown>()
    void takePrefetched(HERE, { onFirstRows: begun.resolve })
    expect(await begun.promise).toEqual(some)
  })

  it('is not given to another user or for another path', async () => {
    prefetchFirstFolder('/files/a%20b')
    expect(await takePrefetched(parseFilePath('/other'), HEARING)).toBeNull()
    prefetchFirstFolder('/files/a%20b')
    useSession.setState({ user: userFromToken(tokenOf(2)) })
    expect(await takePrefetched(HERE, HEARING)).toBeNull()
  })

  it('is null after a failure, so that the caller requests it again', async () => {
    fetched.mockResolvedValueOnce(Response.json({ code: 'unauthorized', detail: {} }, { status: 401 }))
    prefetchFirstFolder('/files/a%20b')
    expect(await takePrefetched(HERE, HEARING)).toBeNull()
  })

  it('is not requested without a token, or outside the files', () => {
    prefetchFirstFolder('/settings/profile')
    stored = null
    prefetchFirstFolder('/files/')
    expect(fetched).not.toHaveBeenCalled()
  })
})

function tokenOf(id: number): string {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const claims = { exp: 2, iat: 1, user: { id, viewMode: 'list', perm } }
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.secret`
}
