import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { parseFilePath } from '../../shared/file-path.ts'
import { reorderFavourites, setStarred } from './favourites-api.ts'
import { type Favourites, FAVOURITES_KEY, type FavouriteEntry } from './favourite-entry.ts'

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
    const queries = new QueryClient()
    queries.setQueryData<Favourites>(FAVOURITES_KEY, { favourites: [], keepsRecent: true })
    const stale = () => queries.getQueryState(FAVOURITES_KEY)?.isInvalidated
    const all = [setStarred(queries, [A], true), setStarred(queries, [B], true), reorderFavourites(queries, [B.path, A.path])]
    const shown = () => queries.getQueryData<Favourites>(FAVOURITES_KEY)?.favourites.map(({ path }) => String(path))
    expect(shown()).toEqual(['/b', '/a'])
    for (const call of ['PUT /api/favourites/a', 'PUT /api/favourites/b', 'PUT /api/places']) {
      await until(() => sent.length === 1)
      expect([sent[0]?.call, stale()]).toEqual([call, false])
      sent.shift()?.answer(new Response(null))
    }
    await Promise.all(all)
    expect([shown(), stale()]).toEqual([['/b', '/a'], true])
  })

  it('continues after a rejection, which the caller gets', async () => {
    const queries = new QueryClient()
    const [first, second] = [setStarred(queries, [A], true), setStarred(queries, [A], false)]
    await until(() => sent.length === 1)
    sent.shift()?.answer(Response.json({ code: 'too-many-favourites', detail: { limit: 1 } }, { status: 409 }))
    await expect(first).rejects.toMatchObject({ code: 'too-many-favourites' })
    await until(() => sent.length === 1)
    expect(sent[0]?.call).toStartWith('DELETE ')
    sent.shift()?.answer(new Response(null))
    await second
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
