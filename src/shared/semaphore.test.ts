import { describe, expect, it } from 'bun:test'
import { createSemaphore } from './semaphore.ts'

describe('a semaphore', () => {
  it('alternates between waiting clients, however much one of them requested before', async () => {
    const { semaphore, ask, begun, end } = desk({ slots: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('ann', name)
    for (const name of ['b1', 'b2']) ask('ben', name)
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']) {
      await settled()
      expect(begun.at(-1)).toBe(name)
      end(name)
    }
    expect(await semaphore.run('ann', async () => 'free again')).toBe('free again')
  })

  it('keeps a slot for others if slots per client are limited', async () => {
    const { ask, begun, end } = desk({ slots: 3, each: 2 })
    for (const name of ['a1', 'a2', 'a3']) ask('ann', name)
    for (const name of ['b1', 'b2']) ask('ben', name)
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    end('b1')
    await settled()
    expect(begun.at(-1)).toBe('b2')
    end('a2')
    await settled()
    expect(begun.at(-1)).toBe('a3')
  })

  it('divides the waiting places among clients, and refuses the rest', async () => {
    const { semaphore, ask, begun, end } = desk({ slots: 1, waiting: 2 })
    for (const name of ['a1', 'a2', 'a3']) ask('ann', name)
    const refused = { code: 'too-many-requests', detail: { retryAfterSeconds: 2 } }
    await expect(semaphore.run('ann', async () => 'never')).rejects.toMatchObject(refused)
    ask('ben', 'b1')
    await expect(semaphore.run('ben', async () => 'never')).rejects.toMatchObject(refused)
    for (const name of ['a1', 'a2']) {
      end(name)
      await settled()
    }
    expect(begun).toEqual(['a1', 'a2', 'b1'])
  })

  it('refuses a client that waited too long, and skips one that left', async () => {
    const { semaphore, ask, begun, end } = desk({ slots: 1 })
    ask('ann', 'a1')
    await settled()
    const left = new AbortController()
    const gone = semaphore.run('ann', async () => begun.push('gone'), { signal: left.signal })
    left.abort(new Error('left'))
    await expect(gone).rejects.toThrow('left')
    await expect(semaphore.run('ben', async () => begun.push('late'), { maxWaitMs: 1 })).rejects.toMatchObject({
      code: 'too-many-requests',
    })
    expect(semaphore.load()).toEqual({ running: 1, waiting: 0 })
    end('a1')
    expect(await semaphore.run('ben', async () => 'at once')).toBe('at once')
    expect(begun).toEqual(['a1'])
    await expect(semaphore.run('ann', async () => 1, { signal: left.signal })).rejects.toThrow('left')
  })

  it('skips a client that leaves when its slot becomes free', async () => {
    const semaphore = createSemaphore({ slots: 1 })
    const first = await semaphore.acquire('ann')
    const left = new AbortController()
    const second = semaphore.acquire('ben', { signal: left.signal })
    const third = semaphore.acquire('cyn')
    first()
    left.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    ;(await third)()
    expect(semaphore.load()).toEqual({ running: 0, waiting: 0 })
  })

  it('releases the slot when the work fails', async () => {
    const { semaphore } = desk({ slots: 1, each: 1 })
    await expect(semaphore.run('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await semaphore.run('ann', async () => 'fine')).toBe('fine')
  })

  it('starts work at once if a slot is free', () => {
    const { ask, begun } = desk({ slots: 2 })
    for (const name of ['a', 'b', 'c']) ask('ann', name)
    expect(begun).toEqual(['a', 'b'])
  })
})

describe('a slot acquired without waiting', () => {
  it('is counted for each client, and released once', () => {
    const semaphore = createSemaphore({ slots: Infinity, each: 1, retryAfterSeconds: 7 })
    const release = semaphore.acquireNow('ann')
    semaphore.acquireNow('bob')
    expect(() => semaphore.acquireNow('ann')).toThrow(expect.objectContaining({ detail: { retryAfterSeconds: 7 } }))
    expect(semaphore.tryAcquire('ann')).toBeNull()
    release()
    release()
    semaphore.acquireNow('ann')
    expect(() => semaphore.acquireNow('ann')).toThrow('too-many-requests')
  })

  it('is counted for all together', () => {
    const semaphore = createSemaphore({ slots: 2 })
    const release = semaphore.acquireNow('ann')
    semaphore.acquireNow('bob')
    expect(() => semaphore.acquireNow('cyn')).toThrow('too-many-requests')
    release()
    semaphore.acquireNow('cyn')
    expect(() => semaphore.acquireNow('ann')).toThrow('too-many-requests')
  })
})

/** A semaphore with work that goes on until it is told to end. */
function desk(limits: Parameters<typeof createSemaphore>[0]) {
  const semaphore = createSemaphore(limits)
  const begun: string[] = []
  const going = new Map<string, () => void>()
  return {
    semaphore,
    begun,
    ask(client: string, name: string): void {
      void semaphore.run(client, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => going.set(name, resolve))
      })
    },
    end: (name: string): void => going.get(name)?.(),
  }
}

/** Until whatever may begin has begun. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
