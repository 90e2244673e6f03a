import { afterEach, expect, it, jest } from 'bun:test'
import { CHUNK_LOAD_TIMEOUT_MS } from '../../shared/limits.ts'
import { ChunkMissing, inTime } from './chunks.ts'

afterEach(() => {
  jest.useRealTimers()
})

it('a module that arrives is returned', async () => {
  expect(await inTime(Promise.resolve('part'))).toBe('part')
})

it('a part that fails is missing, and says why', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  await expect(inTime(Promise.reject(cause))).rejects.toMatchObject({ name: 'ChunkMissing', cause })
})

it('a part that has not arrived after 120 seconds is missing, and not a moment sooner', async () => {
  jest.useFakeTimers()
  let missing: unknown = null
  const waiting = inTime(new Promise(() => undefined)).catch((error: unknown) => (missing = error))
  jest.advanceTimersByTime(CHUNK_LOAD_TIMEOUT_MS - 1)
  await Promise.resolve()
  expect(missing).toBeNull()
  jest.advanceTimersByTime(1)
  await waiting
  expect(missing).toBeInstanceOf(ChunkMissing)
  expect(CHUNK_LOAD_TIMEOUT_MS).toBe(120_000)
})
