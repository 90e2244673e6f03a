import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { comesLate } from './late-picture.ts'

describe('a picture that did not come', () => {
  let fetched: Mock<typeof fetch>
  beforeEach(() => void (fetched = spyOn(globalThis, 'fetch')))
  afterEach(() => fetched.mockRestore())
  const { signal } = new AbortController()
  const answers = (...statuses: number[]) => {
    for (const status of statuses) fetched.mockResolvedValueOnce(new Response(null, { status, headers: { 'retry-after': '0' } }))
  }

  it('is asked for again as long as the server has others to serve', async () => {
    answers(429, 429, 200)
    expect(await comesLate('/thumb', signal)).toBe(true)
    expect(fetched).toHaveBeenCalledTimes(3)
    expect(fetched).toHaveBeenLastCalledWith('/thumb', { method: 'HEAD', signal })
  })

  it('is none where the server says anything else, or nothing', async () => {
    answers(501)
    expect(await comesLate('/thumb', signal)).toBe(false)
    fetched.mockRejectedValueOnce(new Error('offline'))
    expect(await comesLate('/thumb', signal)).toBe(false)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('stops waiting when aborted', async () => {
    const left = new AbortController()
    fetched.mockResolvedValueOnce(new Response(null, { status: 429, headers: { 'retry-after': '3600' } }))
    const coming = comesLate('/thumb', left.signal)
    left.abort()
    expect(await coming).toBe(false)
  })
})
