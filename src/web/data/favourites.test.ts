import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../shared/file-path.ts'
import { type FavouriteEntry, type Favourites, reordering, starring } from './favourites.ts'
import { createQueryClient, FAVOURITES_KEY, mutate } from './query.ts'

let fetched: Mock<typeof fetch>
/** What has left, in its order, each with how it is answered. */
let sent: { call: string; answer: (response: Response) => void }[] = []

beforeEach(() => {
  sent = []
  const hold = (address: unknown, init?: RequestInit) =>
    new Promise<Response>((answer) => void sent.push({ call: `${init?.method} ${String(address)}`, answer }))
  fetched = spyOn(globalThis, 'fetch').mockImplementation(Object.assign(hold, { preconnect: () => undefined }))
})
afterEach(() => fetched.mockRestore())

describe('changes in quick succession', () => {
  it('reach the server in order, and are refetched after the last one', async () => {
    const queries = createQueryClient({ onError: () => undefined })
    queries.setQueryData<Favourites>(FAVOURITES_KEY, { favourites: [], keepsRecent: true })
    const stale = () => queries.getQueryState(FAVOURITES_KEY)?.isInvalidated
    mutate(queries, starring(queries), { entries: [A], starred: true })
    mutate(queries, starring(queries), { entries: [B], starred: true })
    mutate(queries, reordering(queries), [B.path, A.path])
    const shown = () => queries.getQueryData<Favourites>(FAVOURITES_KEY)?.favourites.map(({ path }) => String(path))
    expect(shown()).toEqual(['/b', '/a'])
    for (const call of ['PUT /api/favourites/a', 'PUT /api/favourites/b', 'PUT /api/places']) {
      await until(() => sent.length === 1)
      expect([sent[0]?.call, stale()]).toEqual([call, false])
      sent.shift()?.answer(new Response(null))
    }
    await until(() => stale() === true)
    expect(shown()).toEqual(['/b', '/a'])
  })

  it('continues after a rejection, which is taken back and reported', async () => {
    const errors: unknown[] = []
    const queries = createQueryClient({ onError: (error) => errors.push(error) })
    queries.setQueryData<Favourites>(FAVOURITES_KEY, { favourites: [B], keepsRecent: true })
    mutate(queries, starring(queries), { entries: [A], starred: true })
    mutate(queries, starring(queries), { entries: [B], starred: false })
    await until(() => sent.length === 1)
    sent.shift()?.answer(Response.json({ code: 'too-many-favourites', detail: { limit: 1 } }, { status: 409 }))
    await until(() => sent.length === 1)
    expect(errors).toMatchObject([{ code: 'too-many-favourites' }])
    expect(sent[0]?.call).toStartWith('DELETE ')
    expect(queries.getQueryData<Favourites>(FAVOURITES_KEY)?.favourites).toEqual([])
    sent.shift()?.answer(new Response(null))
    await until(() => queries.isMutating() === 0)
  })
})

const [A, B] = ['/a', '/b'].map((path): FavouriteEntry => ({
  path: parseFilePath(path),
  isDir: false,
  isSymlink: false,
  size: 1,
  modified: 1,
})) as [FavouriteEntry, FavouriteEntry]

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
