import { describe, expect, it } from 'bun:test'
import { createKeyedMutex } from './keyed-mutex.ts'

describe('work with keys', () => {
  it('runs sequentially for one key, also after a failure, and in parallel for several', async () => {
    const inTurn = createKeyedMutex()
    const steps: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = inTurn('a', async () => {
      steps.push('first begins')
      await gate.promise
      steps.push('first fails')
      throw new Error('failed')
    })
    const second = inTurn('a', async () => void steps.push('second'))
    await inTurn('b', async () => void steps.push('other key'))
    gate.resolve()
    await expect(first).rejects.toThrow('failed')
    await second
    expect(steps).toEqual(['first begins', 'other key', 'first fails', 'second'])
  })
})
