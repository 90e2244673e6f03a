import { describe, expect, it } from 'bun:test'
import { createSyncSharing } from './sync-sharing.ts'

describe('a shared sync', () => {
  it('serves all that wait, and never those that came while it ran', async () => {
    const share = createSyncSharing()
    const ends: PromiseWithResolvers<void>[] = []
    const sync = (): Promise<void> => {
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    }
    const done: string[] = []
    const call = (name: string): void => void share('folder', sync).then(() => done.push(name))
    call('first')
    await Bun.sleep(0)
    call('second')
    call('third')
    await Bun.sleep(0)
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await Bun.sleep(0)
    expect(done).toEqual(['first'])
    expect(ends).toHaveLength(2)
    call('fourth')
    ends[1]?.resolve()
    await Bun.sleep(0)
    expect(done).toEqual(['first', 'second', 'third'])
    ends[2]?.resolve()
    await Bun.sleep(0)
    expect(done).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('fails for all that shared it, and for nobody after them', async () => {
    const share = createSyncSharing()
    const broken = async (): Promise<void> => Promise.reject(new Error('the disk failed'))
    const outcomes = await Promise.allSettled([share('folder', broken), share('folder', broken)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await share('folder', async () => undefined)
  })

  it('is one for each key', async () => {
    const share = createSyncSharing()
    const never = new Promise<void>(() => undefined)
    void share('hanging', () => never)
    await share('other', async () => undefined)
  })
})
