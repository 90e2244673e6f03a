import { afterEach, expect, it, spyOn } from 'bun:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { parseFilePath } from '../../shared/file-path.ts'
import { readFolder, resourceQuery } from './folders.ts'

const PATH = parseFilePath('/trips')
const fetched = spyOn(globalThis, 'fetch')
afterEach(() => void fetched.mockReset())

it('a folder is read although the screen that was reading it closes meanwhile', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let count = 0
  const hanging = (signal: AbortSignal | null | undefined): Promise<Response> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  const answer = async (_: unknown, init?: RequestInit): Promise<Response> => {
    if (count++ === 0) return hanging(init?.signal)
    return Response.json({ code: 'not-found', detail: {} }, { status: 404 })
  }
  fetched.mockImplementation(Object.assign(answer, { preconnect: () => undefined }))
  const close = new QueryObserver(queries, resourceQuery(PATH)).subscribe(() => undefined)
  const reading = readFolder(queries, PATH).catch((error: unknown) => error)
  await Bun.sleep(1)
  close()
  // The answer of the second request, not the end of the first.
  expect(await reading).toMatchObject({ code: 'not-found' })
  expect(count).toBe(2)
})
