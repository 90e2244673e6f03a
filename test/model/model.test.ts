import { expect, it } from 'bun:test'
import { startProduct } from '../contract/world.ts'
import { runAlive } from './model.ts'
import { serveProduct } from './served.ts'

/** By hand more: `SEEDS=1,2,3 OPERATIONS=500`. */
const SEEDS = (process.env['SEEDS'] ?? '1,2,3').split(',').map(Number)
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 120)

for (const seed of SEEDS) {
  it(`rewinds to any moment of what three people do at random, exactly (seed ${seed})`, async () => {
    await using product = await startProduct()
    const result = await runAlive(await serveProduct(product), {
      seed,
      operations: OPERATIONS,
      rewinds: 5,
      parts: Math.ceil(OPERATIONS / 40),
    })
    expect(result.violations).toEqual([])
    expect(result.rewinds).toBe(6 * Math.ceil(OPERATIONS / 40))
  }, 200_000)
}
