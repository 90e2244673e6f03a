import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mountSlowDisk, type SlowDisk } from '../../scripts/slow-disk/slow-disk.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './until.ts'

/** These mount disks in user space, so they need root and /dev/fuse; without, they fail and say so. */
const TIMEOUT_MS = 60_000

let home: string
let root: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-slow-'))
  root = join(home, 'root')
  mkdirSync(join(root, 'other'), { recursive: true })
  writeFileSync(join(root, 'other', 'file.txt'), 'at hand')
})
afterEach(() => rmSync(home, { recursive: true }))

describe('R5: while a disk below the root answers nothing', () => {
  let disk: SlowDisk
  let program: Program
  beforeEach(async () => {
    disk = await mountSlowDisk(join(root, 'slow'))
    writeFileSync(join(root, 'slow', 'file.txt'), 'far away')
    symlinkSync('slow', join(root, 'link'))
    program = await startProgram(home)
    // Mount points are shown with what their disks said last.
    await program.ask('/api/resources/', {})
    await disk.hold()
  }, TIMEOUT_MS)
  afterEach(async () => {
    await program.kill()
    await disk[Symbol.asyncDispose]()
  })

  const USES: Record<string, (times: number) => Promise<Response>> = {
    'list it': () => program.open('/api/resources/slow/', {}),
    'list it through a link': () => program.open('/api/resources/link/', {}),
    'read from it': () => program.open('/api/raw/slow/file.txt', {}),
    'write to it': (n) => program.open(`/api/resources/slow/${n}.txt`, { method: 'POST', body: 'x' }),
    'ask how much room it has': () => program.open('/api/usage/slow/', {}),
    'search it': () => program.open('/api/search/slow/?query=file', {}),
  }

  for (const [what, use] of Object.entries(USES))
    it(
      `and eight clients ${what}, the others get their answers, and those eight when it answers`,
      async () => {
        const waiting = Array.from({ length: 8 }, (_, n) => use(n).then(async (answer) => ({ status: answer.status, text: await answer.text() })))
        await until(() => disk.isHeld())
        await expectAnswers(program)
        expect(await disk.isHeld()).toBe(true)
        await disk.letGo()
        for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      },
      TIMEOUT_MS,
    )

  it(
    'more than it can be asked is refused with 503, and the server stops when it is told to',
    async () => {
      const many = Array.from({ length: 100 }, () => program.open('/api/resources/slow/', {}).catch(() => null))
      expect((await Promise.race(many))?.status).toBe(503)
      await expectAnswers(program)
      expect(await disk.isHeld()).toBe(true)
    },
    TIMEOUT_MS,
  )
})

/** What has nothing to do with the slow disk. */
async function expectAnswers({ open, url }: Program): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await (await open('/api/resources/other/', {})).text()).toContain('file.txt')
  const names = ((await (await open('/api/resources/', {})).json()) as { items: { name: string }[] }).items.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['link', 'other', 'slow'])
  expect(await (await open('/api/raw/other/file.txt', {})).text()).toBe('at hand')
  expect((await open('/api/resources/other/new.txt?override=true', { method: 'POST', body: 'new' })).status).toBe(200)
  expect((await open('/api/search/other/?query=file', {})).status).toBe(200)
}
