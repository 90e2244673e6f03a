import { describe, expect, it } from 'bun:test'
import { createAdmission } from './admission.ts'

const round = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('the admission of requests', () => {
  it('starts a few requests at once, and as many in each iteration of the event loop', async () => {
    const { run } = createAdmission({ eachRound: 2 })
    const begun: number[] = []
    for (const one of [1, 2, 3, 4, 5])
      void run(
        () => 'ann',
        async () => begun.push(one),
      )
    const seen: number[][] = [[...begun]]
    for (let rounds = 0; rounds < 3; rounds++) {
      await round()
      seen.push([...begun])
    }
    expect(seen).toEqual([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ])
  })

  it('alternates between clients, however many requests one of them sends', async () => {
    const { run } = createAdmission({ eachRound: 1 })
    const begun: string[] = []
    for (const clientKey of ['first', 'ann', 'ann', 'ann', 'ann', 'bob', 'cid'])
      void run(
        () => clientKey,
        async () => begun.push(clientKey),
      )
    while (begun.length < 7) await round()
    expect(begun).toEqual(['first', 'ann', 'bob', 'cid', 'ann', 'ann', 'ann'])
  })

  it('P2: does not count a request that is answered without a wait', () => {
    const { run } = createAdmission({ eachRound: 1 })
    expect(
      [1, 2, 3].map((one) =>
        run(
          () => 'ann',
          ({ hasWaited }) => (hasWaited ? 0 : one),
        ),
      ),
    ).toEqual([1, 2, 3])
  })

  it('starts requests immediately when the queue is empty', async () => {
    const { run } = createAdmission({ eachRound: 1 })
    const hasWaited = async (clientKey: string) =>
      run(
        () => clientKey,
        async (turn) => turn.hasWaited,
      )
    expect(await Promise.all([hasWaited('ann'), hasWaited('ann'), hasWaited('bob')])).toEqual([false, true, true])
    for (let rounds = 0; rounds < 2; rounds++) await round()
    expect(await hasWaited('ann')).toBe(false)
  })
})
