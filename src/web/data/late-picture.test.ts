import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { retryThumbnail } from './late-picture.ts'

describe('a thumbnail that is not ready', () => {
  let fetched: Mock<typeof fetch>
  beforeEach(() => void (fetched = spyOn(globalThis, 'fetch')))
  afterEach(() => fetched.mockRestore())
  const { signal } = new AbortController()
  const answers = (...statuses: number[]) => {
    for (const status of statuses) fetched.mockResolvedValueOnce(new Response(null, { status, headers: { 'retry-after': '0' } }))
  }

  it('is requested again while the server is busy', async () => {
    answers(429, 429, 200)
    expect(await retryThumbnail('/thumb', signal)).toBe(true)
    expect(fetched).toHaveBeenCalledTimes(3)
    expect(fetched).toHaveBeenLastCalledWith('/thumb', { method: 'HEAD', signal })
  })

  it('is missing after any other response, or none', async () => {
    answers(501)
    expect(await retryThumbnail('/thumb', signal)).toBe(false)
    fetched.mockRejectedValueOnce(new Error('offline'))
    expect(await retryThumbnail('/thumb', signal)).toBe(false)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('stops waiting when aborted', async () => {
    const left = new AbortController()
    fetched.mockResolvedValueOnce(new Response(null, { status: 429, headers: { 'retry-after': '3600' } }))
    const coming = retryThumbnail('/thumb', left.signal)
    left.abort()
    expect(await coming).toBe(false)
  })
})
