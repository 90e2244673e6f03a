import { expect, it } from 'bun:test'
import { join } from 'node:path'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

/** 54 to 95 are used. As texts with their keys, and objects written at once, the same took 414 to 426. */
const MOST_MEGABYTES = 200

it('R17: a folder of 300,000 entries is sorted and written within 200 MB', async () => {
  const child = Bun.spawn([...RUNTIME_COMMAND, '--smol', join(import.meta.dir, 'long-folder.child.ts')], { stdout: 'pipe' })
  const { bytes, megabytes } = (await child.stdout.json()) as { bytes: number; megabytes: number }
  expect(bytes).toBeGreaterThan(50e6)
  expect(megabytes).toBeLessThan(MOST_MEGABYTES)
})
