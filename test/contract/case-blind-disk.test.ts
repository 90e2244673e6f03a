import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import { type Disk, mountDisk } from './disk.ts'
import { deny, type Product, startProduct } from './world.ts'

/** A denied folder, and another name by which the disk finds it. */
const NAMES = [
  ['secret', 'SECRET'],
  ['Straße', 'STRAßE'],
  ['Adıyaman', 'ADıYAMAN'],
  ['Éclair', 'éclair'],
] as const

/** Mounts a file as a disk, so it needs root, like the tests of faults.test.ts. */
describe('A4: on a disk that ignores case, a denied folder', () => {
  let home: string
  let folder: string
  let disk: Disk
  let product: Product
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'satchel-case-'))
    folder = join(home, 'served')
    disk = mountDisk('exfat', { home, at: folder })
    product = await startProduct({ storage: { folder } })
    for (const [name] of NAMES) await product.seed({ [`/${name}/key.txt`]: 'the key' })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    disk[Symbol.dispose]()
    rmSync(home, { recursive: true })
  })

  it('A4: cannot be read by another spelling', async () => {
    await product.add('ben', { rules: NAMES.map(([name]) => deny(`/${name}`)) })
    for (const [, other] of NAMES) {
      const statusFor = async (who: string) => (await product.ask(`/api/raw/${encodeURIComponent(other)}/key.txt`, { who })).status
      expect([other, await statusFor('ann'), await statusFor('ben')]).toEqual([other, 200, 404])
    }
  }, 300_000)

  it('A4: cannot be masked, because programs would find it by the other one: none is started', async () => {
    const sandbox = createBubblewrap()
    for (const [name, other] of NAMES) {
      const run = (masked: readonly string[]) =>
        sandbox.run(['/bin/cat', `/files/${other}/key.txt`], { scope: { folder, writable: true, masked } })
      expect([other, Buffer.from((await run([])).stdout).toString()]).toEqual([other, 'the key'])
      for (const masked of [name, `${name}/key.txt`]) await expect(run([masked])).rejects.toMatchObject({ code: 'forbidden' })
    }
  }, 300_000)
})
