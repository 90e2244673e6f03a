import { describe, expect, it } from 'bun:test'
import { createQueue } from '../../shared/queue.ts'
import { createSharedWork } from './shared-work.ts'

describe('the queue', () => {
  it('does so many at once, and the rest in their order', async () => {
    const queue = createQueue(2)
    const begun: string[] = []
    const works = ['a', 'b', 'c', 'd'].map((name) => {
      const done = Promise.withResolvers<string>()
      return { ...done, result: queue(() => (begun.push(name), done.promise)) }
    })
    await Promise.resolve()
    expect(begun).toEqual(['a', 'b'])
    works[1]?.reject(new Error('fell'))
    await expect(works[1]?.result).rejects.toThrow('fell')
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const { resolve } of works) resolve('done')
    expect(await works[3]?.result).toBe('done')
  })

  it('lets go of what is aborted while it waits, at once', async () => {
    const queue = createQueue(1)
    const first = Promise.withResolvers<void>()
    const busy = queue(() => first.promise)
    const abort = new AbortController()
    const begun: string[] = []
    const waiting = queue(async () => void begun.push('aborted'), { signal: abort.signal })
    const next = queue(async () => void begun.push('next'))
    abort.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    first.resolve()
    await busy
    await next
    expect(begun).toEqual(['next'])
    await expect(queue(async () => 1, { signal: abort.signal })).rejects.toThrow('left')
  })
})

describe('shared work', () => {
  it('is done once for all who ask, and goes on while one of them is there', async () => {
    const share = createSharedWork<string>()
    const done = Promise.withResolvers<string>()
    let times = 0
    let given = new AbortController().signal
    const work = (signal: AbortSignal) => (times++, (given = signal), done.promise)
    const leaving = new AbortController()
    const one = share('key', work, { signal: leaving.signal })
    const other = share('key', work, { signal: new AbortController().signal })
    leaving.abort(new Error('left'))
    await expect(one).rejects.toThrow('left')
    expect([times, given.aborted]).toEqual([1, false])
    done.resolve('made')
    expect(await other).toBe('made')
  })

  it('is given up when the last has left, and begins anew for the next', async () => {
    const share = createSharedWork<string>()
    const signals: AbortSignal[] = []
    const work = (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
    }
    const leaving = new AbortController()
    const one = share('key', work, { signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(one).rejects.toThrow('left')
    expect(signals[0]?.aborted).toBe(true)
    void share('key', work, { signal: new AbortController().signal }).catch(() => undefined)
    expect(signals.length).toBe(2)
  })
})
