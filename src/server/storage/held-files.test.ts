import { afterAll, expect, it } from 'bun:test'
import { mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orElse } from '../../shared/errors.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { createHeldFiles, type HeldFile } from './held-files.ts'

const home = mkdtempSync(join(tmpdir(), 'held-files-'))
afterAll(() => rmSync(home, { recursive: true }))
writeFileSync(join(home, 'file'), 'text')

const opened = (): HeldFile => ({
  fd: openSync(join(home, 'file'), 'r'),
  words: new Uint32Array(1),
  stat: { kind: 'file', size: 4, modified: 0, mode: 0o100644, identity: 'a' },
})
const countOpen = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => orElse('', () => readlinkSync(`/proc/self/fd/${fd}`)).startsWith(home)).length

it('P2: holds as many files as it may, and one for each path', () => {
  const files = createHeldFiles({ most: 2, heldMs: 600_000 })
  const [a, b, c, other] = [opened(), opened(), opened(), opened()]
  files.hold(at('/a'), a)
  files.hold(at('/b'), b)
  files.hold(at('/c'), c)
  expect([files.get(at('/a')), files.get(at('/b')), files.get(at('/c'))]).toEqual([a, b, null])
  files.hold(at('/a'), other)
  expect(files.get(at('/a'))).toBe(other)
  expect(countOpen()).toBe(2)
})

it('P2: lets go of a file that is not used any more, and of none that is', async () => {
  const before = countOpen()
  const files = createHeldFiles({ heldMs: 100 })
  files.hold(at('/a'), opened())
  files.hold(at('/b'), opened())
  expect(countOpen()).toBe(before + 2)
  const end = performance.now() + 500
  while (performance.now() < end) {
    expect(files.get(at('/a'))).not.toBeNull()
    await Bun.sleep(5)
  }
  expect(files.get(at('/b'))).toBeNull()
  expect(countOpen()).toBe(before + 1)
  await Bun.sleep(300)
  expect(countOpen()).toBe(before)
})
