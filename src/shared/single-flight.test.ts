import { describe, expect, it } from 'bun:test'
import { createSingleFlight } from './single-flight.ts'

describe('a single flight', () => {
  it('runs once for all callers, and continues while one of them waits', async () => {
    const share = createSingleFlight<string>()
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

  it('is aborted when the last caller has left, and restarts for the next', async () => {
    const share = createSingleFlight<string>()
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

  it('continues for a caller without a signal, and reports its failure to all', async () => {
    const share = createSingleFlight<string>()
    const done = Promise.withResolvers<string>()
    const leaving = new AbortController()
    const one = share('key', () => done.promise)
    const other = share('key', () => done.promise, { signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(other).rejects.toThrow('left')
    done.reject(new Error('broken'))
    await expect(one).rejects.toThrow('broken')
    expect(await share('key', async () => 'anew')).toBe('anew')
  })
})
