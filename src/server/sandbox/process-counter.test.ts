import { describe, expect, it } from 'bun:test'
import { countBelow, createProcessCounter } from './process-counter.ts'

it('counts one more than the limit, also for a chain of processes', async () => {
  const chain = Bun.spawn(['/bin/sh', '-c', 'sh -c "sh -c \\"sh -c \\\\\\"sleep 60; :\\\\\\"; :\\"; :"; :'], { stdout: 'ignore' })
  try {
    while (countBelow(chain.pid, 10) < 4) await Bun.sleep(5)
    expect([1, 2, 3, 4].map((atMost) => countBelow(chain.pid, atMost))).toEqual([2, 3, 4, 4])
  } finally {
    Bun.spawnSync(['pkill', '-P', String(chain.pid)])
    chain.kill()
  }
})

describe('the process counter', () => {
  it('counts again when the kernel has assigned enough process ids to exceed the limit', async () => {
    const kernel = { number: 100, processes: 3, counts: 0, looks: 0 }
    const { watch } = createProcessCounter({
      lastNumber: () => (kernel.looks++, kernel.number),
      count: () => (kernel.counts++, kernel.processes),
    })
    const told = Promise.withResolvers<void>()
    const end = watch(1, { most: 10, onMore: told.resolve })
    while (kernel.looks < 10) await Bun.sleep(1)
    expect(kernel.counts).toBe(1)
    kernel.number += 7
    while (kernel.looks < 15) await Bun.sleep(1)
    expect(kernel.counts).toBe(1)
    Object.assign(kernel, { number: kernel.number + 1, processes: 11 })
    await told.promise
    expect(kernel.counts).toBe(2)
    end()
  })

  it('counts on each check after ids wrapped around, and periodically if none were assigned', async () => {
    const kernel = { number: 30_000, counts: 0, looks: 0 }
    const { watch } = createProcessCounter({ lastNumber: () => (kernel.looks++, kernel.number), count: () => (kernel.counts++, 3) })
    const end = watch(1, { most: 10, onMore: () => {} })
    while (kernel.looks < 2) await Bun.sleep(1)
    kernel.number = 300
    while (kernel.looks < 4) await Bun.sleep(1)
    expect(kernel.counts).toBe(2)
    while (kernel.looks < 40) await Bun.sleep(1)
    expect(kernel.counts).toBe(3)
    end()
  })
})
