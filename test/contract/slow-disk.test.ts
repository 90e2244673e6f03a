import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mountSlowDisk, type SlowDisk } from '../../scripts/slow-disk/slow-disk.ts'
import { PASSWORD, type Program, startProgram } from './program.ts'
import { until } from './until.ts'

/** These mount disks in user space, so they need root and /dev/fuse; without, they fail and say so. */
const TIMEOUT_MS = 300_000
/** After this time the server knows the mounts. */
const TABLE_MS = 1100
const JSON_ONLY = { accept: 'application/json' }

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
    mkdirSync(join(root, 'links'))
    symlinkSync('../slow', join(root, 'links', 'link'))
    program = await startProgram(home, { args: ['--shutdownGrace', '1s'] })
    // Mount points are shown with what their disks said last.
    await program.ask('/api/resources/', {})
    await disk.hold()
  }, TIMEOUT_MS)
  afterEach(async () => {
    // Whoever waits for a disk cannot be killed.
    await disk[Symbol.asyncDispose]()
    await program.kill()
  })

  const USES: Record<string, (times: number) => Promise<Response>> = {
    'list it': () => program.open('/api/resources/slow/', {}),
    'list it through a link': () => program.open('/api/resources/links/link/', {}),
    'read from it': () => program.open('/api/raw/slow/file.txt', {}),
    'write to it': (n) => program.open(`/api/resources/slow/${n}.txt`, { method: 'POST', body: 'x' }),
    'ask how much room it has': () => program.open('/api/usage/slow/', {}),
    'search it': () => program.open('/api/search/slow/?query=file', {}),
  }

  for (const [what, use] of Object.entries(USES))
    it(
      `and clients ${what}, others get their answers, and those clients when it answers`,
      async () => {
        // More searches of one account are refused.
        const clients = what === 'search it' ? 2 : 8
        const waiting = Array.from({ length: clients }, (_, n) =>
          use(n).then(async (answer) => ({ status: answer.status, text: await answer.text() })),
        )
        await until(() => disk.isHeld())
        await expectAnswers(program)
        expect(await disk.isHeld()).toBe(true)
        await disk.letGo()
        for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      },
      TIMEOUT_MS,
    )

  it(
    'more than it can be asked is refused with 503',
    async () => {
      const many = Array.from({ length: 80 }, () => program.open('/api/resources/slow/', { headers: JSON_ONLY }))
      const refused = await Promise.race(many)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
      expect(await refused.json()).toEqual({ code: 'storage-busy', detail: { retryAfterSeconds: 10 } })
      await expectAnswers(program)
      expect(await disk.isHeld()).toBe(true)
      await disk.letGo()
      await Promise.all(many)
    },
    TIMEOUT_MS,
  )

  it(
    'the server stops when it is told to',
    async () => {
      const waiting = program.open('/api/resources/slow/', {}).catch(() => null)
      await until(() => disk.isHeld())
      process.kill(program.pid, 'SIGTERM')
      await until(async () => (await fetch(`${program.url}/health`).catch(() => null)) === null)
      expect(await waiting).toBe(null)
      expect(await disk.isHeld()).toBe(true)
    },
    TIMEOUT_MS,
  )
})

describe('R5: a disk', () => {
  it(
    'that is mounted later and answers nothing holds up nobody else, and is refused with 503 when its program is gone',
    async () => {
      await using program = await startProgram(home)
      await program.ask('/api/resources/', {})
      const disk = await mountSlowDisk(join(root, 'slow'))
      mkdirSync(join(root, 'links'))
      try {
        await until(async () => (await program.open('/api/resources/slow/', {})).status === 200)
        await Bun.sleep(TABLE_MS)
        await disk.hold()
        const waiting = program.open('/api/resources/slow/', {})
        await until(() => disk.isHeld())
        await expectAnswers(program)
        expect(await disk.isHeld()).toBe(true)
        disk.end()
        expect((await waiting).status).toBe(503)
        await expectAnswers(program)
      } finally {
        await disk[Symbol.asyncDispose]()
      }
      await Bun.sleep(TABLE_MS)
      expect((await program.open('/api/resources/slow/', {})).status).toBe(200)
    },
    TIMEOUT_MS,
  )

  it(
    'that holds the root and answers nothing leaves /health and sign-in as they are',
    async () => {
      await using disk = await mountSlowDisk(root)
      writeFileSync(join(root, 'file.txt'), 'far away')
      const program = await startProgram(home)
      await disk.hold()
      const waiting = program.open('/api/resources/', {})
      await until(() => disk.isHeld())
      expect((await fetch(`${program.url}/health`)).status).toBe(200)
      const body = JSON.stringify({ username: 'admin', password: PASSWORD })
      expect((await fetch(`${program.url}/api/login`, { method: 'POST', body })).status).toBe(200)
      expect(await disk.isHeld()).toBe(true)
      await disk.letGo()
      expect((await waiting).status).toBe(200)
      await program.kill()
    },
    TIMEOUT_MS,
  )
})

/** What has nothing to do with the slow disk. */
async function expectAnswers({ open, url }: Program): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await (await open('/api/resources/other/', {})).text()).toContain('file.txt')
  const names = ((await (await open('/api/resources/', { headers: JSON_ONLY })).json()) as { items: { name: string }[] }).items.map(
    ({ name }) => name,
  )
  expect(names.toSorted()).toEqual(['links', 'other', 'slow'])
  expect(await (await open('/api/raw/other/file.txt', {})).text()).toBe('at hand')
  expect((await open('/api/resources/other/new.txt?override=true', { method: 'POST', body: 'new' })).status).toBe(200)
  expect((await open('/api/search/other/?query=file', {})).status).toBe(200)
}
