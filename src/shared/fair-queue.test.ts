import { describe, expect, it } from 'bun:test'
import { createFairQueue } from './fair-queue.ts'

describe('a fair queue', () => {
  it('lets those who wait take turns, however much one of them asked for before', async () => {
    const { queue, ask, begun, end } = desk({ atOnce: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('ann', name)
    for (const name of ['b1', 'b2']) ask('ben', name)
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']) {
      await settled()
      expect(begun.at(-1)).toBe(name)
      end(name)
    }
    expect(await queue('ann', async () => 'free again')).toBe('free again')
  })

  it('keeps a place for others where each may have so many', async () => {
    const { ask, begun, end } = desk({ atOnce: 3, each: 2 })
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

  it('shares a line that is full with whoever comes, and sends the others away', async () => {
    const { queue, ask, begun, end } = desk({ atOnce: 1, waiting: 2 })
    for (const name of ['a1', 'a2', 'a3']) ask('ann', name)
    const refused = { code: 'too-many-requests', detail: { retryAfterSeconds: 2 } }
    await expect(queue('ann', async () => 'never')).rejects.toMatchObject(refused)
    ask('ben', 'b1')
    await expect(queue('ben', async () => 'never')).rejects.toMatchObject(refused)
    for (const name of ['a1', 'a2']) {
      end(name)
      await settled()
    }
    expect(begun).toEqual(['a1', 'a2', 'b1'])
  })

  it('sends away who waited too long, and runs nothing of who left', async () => {
    const { queue, ask, begun, end } = desk({ atOnce: 1 })
    ask('ann', 'a1')
    await settled()
    const left = new AbortController()
    const gone = queue('ann', async () => begun.push('gone'), { signal: left.signal })
    left.abort(new Error('left'))
    await expect(gone).rejects.toThrow('left')
    await expect(queue('ben', async () => begun.push('late'), { maxWaitMs: 1 })).rejects.toMatchObject({ code: 'too-many-requests' })
    end('a1')
    expect(await queue('ben', async () => 'at once')).toBe('at once')
    expect(begun).toEqual(['a1'])
  })

  it('gives its place back where the work fails', async () => {
    const { queue } = desk({ atOnce: 1, each: 1 })
    await expect(queue('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue('ann', async () => 'fine')).toBe('fine')
  })
})

/** A queue with work that goes on until it is told to end. */
function desk(limits: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(limits)
  const begun: string[] = []
  const going = new Map<string, () => void>()
  return {
    queue,
    begun,
    ask(guest: string, name: string): void {
      void queue(guest, async () => {
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
