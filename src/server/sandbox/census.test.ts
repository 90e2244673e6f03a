import { expect, it } from 'bun:test'
import { countBelow } from './census.ts'

it('counts one more than asked for, also where each has started only one', async () => {
  const chain = Bun.spawn(['/bin/sh', '-c', 'sh -c "sh -c \\"sh -c \\\\\\"sleep 60; :\\\\\\"; :\\"; :"; :'], { stdout: 'ignore' })
  try {
    while (countBelow(chain.pid, 10) < 4) await Bun.sleep(5)
    expect([1, 2, 3, 4].map((atMost) => countBelow(chain.pid, atMost))).toEqual([2, 3, 4, 4])
  } finally {
    Bun.spawnSync(['pkill', '-P', String(chain.pid)])
    chain.kill()
  }
})
