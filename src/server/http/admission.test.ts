import { describe, expect, it } from 'bun:test'
import { createAdmission } from './admission.ts'

const round = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('the admission of requests', () => {
  it('starts a few requests at once, and as many in each iteration of the event loop', async () => {
    const { enter } = createAdmission({ eachRound: 2 })
    const begun: number[] = []
    for (const one of [1, 2, 3, 4, 5]) void (enter('ann') ?? Promise.resolve()).then(() => begun.push(one))
    expect(enter('ann')).not.toBeNull()
    const seen: number[][] = []
    for (let rounds = 0; rounds < 3; rounds++) {
      await round()
      seen.push([...begun])
    }
    expect(seen).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ])
  })

  it('alternates between clients, however many requests one of them sends', async () => {
    const { enter } = createAdmission({ eachRound: 1 })
    const begun: string[] = []
    for (const clientKey of ['first', 'ann', 'ann', 'ann', 'ann', 'bob', 'cid']) void enter(clientKey)?.then(() => begun.push(clientKey))
    while (begun.length < 6) await round()
    expect(begun).toEqual(['ann', 'bob', 'cid', 'ann', 'ann', 'ann'])
  })

  it('starts requests immediately when the queue is empty', async () => {
    const { enter } = createAdmission({ eachRound: 1 })
    await Promise.all([enter('ann'), enter('ann'), enter('bob')])
    for (let rounds = 0; rounds < 2; rounds++) await round()
    expect(enter('ann')).toBeNull()
  })
})
