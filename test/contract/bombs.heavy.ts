import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from './program.ts'

/** Part of `npm run test:security` alone: it sends gigabytes. */
const MEBIBYTE = 1024 ** 2
const GIBIBYTE = 1024 ** 3
/** What the answers themselves take, and the runtime lets go of late. */
const ROOM_BYTES = 300 * MEBIBYTE
const AT_ONCE = 50
const LONG_MS = 300_000

const home = mkdtempSync(join(tmpdir(), 'satchel-bombs-'))
let program: Program
beforeAll(async () => {
  program = await startProgram(home)
}, 60_000)
afterAll(async () => {
  await program.kill()
  rmSync(home, { recursive: true, force: true })
})

describe('a bomb', () => {
  it(
    'of a gigabyte of JSON, fifty at once, at every door that takes JSON, is refused early (A5-7, GHSA-w5fm-68j4-fpc4)',
    () =>
      bounded(async () => {
        const doors = ['/api/login', '/api/signup', '/api/users', '/api/share/', '/api/jobs']
        const tried = Array.from({ length: AT_ONCE }, (_, i) => refusedEarly(doors[i % doors.length] ?? ''))
        const sent = await Promise.all(tried)
        expect(Math.max(...sent)).toBeLessThan(64 * MEBIBYTE)
      }),
    LONG_MS,
  )

  it(
    'that lies on the disk as a text, captions or a table is not read into memory (A5-7, GHSA-7xqm-7738-642x, GHSA-448h-jr2h-3vhp)',
    () =>
      bounded(async () => {
        for (const [name, size] of Object.entries({
          'a.txt': 1024 * GIBIBYTE,
          'b.srt': 2 * GIBIBYTE,
          'c.ass': 2 * GIBIBYTE,
          'd.csv': 4 * GIBIBYTE,
        })) {
          writeFileSync(join(home, 'root', name), '1\n00:00:01,000 --> 00:00:02,000\nwords\n')
          truncateSync(join(home, 'root', name), size)
        }
        const addresses = [
          '/api/resources/a.txt',
          '/api/subtitle/b.srt',
          '/api/subtitle/c.ass',
          '/api/resources/d.csv',
          '/api/preview/thumb/a.txt',
        ]
        const answers = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, i) => program.open(addresses[i % addresses.length] ?? '', {})),
        )
        for (const answer of answers) expect((await answer.arrayBuffer()).byteLength).toBeLessThan(MEBIBYTE)
      }),
    LONG_MS,
  )

  it(
    'of patterns, depth and ranges costs no more than it should (A5-7, A4-6, A4-5)',
    () =>
      bounded(async () => {
        writeFileSync(join(home, 'root/big.bin'), Buffer.alloc(8 * MEBIBYTE, 'x'))
        const ranges = `bytes=${Array.from({ length: 1300 }, (_, i) => `5-${i + 6}`).join(',')}`
        const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
        const rules = JSON.stringify([{ regex: true, allow: false, path: '', regexp: { raw: '(a+)+$'.repeat(50) } }])
        const tried = Array.from({ length: 20 }, (_, i) => {
          if (i % 3 === 0) return program.open('/api/raw/big.bin', { headers: { range: ranges } })
          const body = i % 3 === 1 ? deep : `{"rules":${rules}}`
          return program.open('/api/settings', { method: 'PUT', body })
        })
        for (const answer of await Promise.all(tried)) {
          expect(answer.status).toBeLessThan(500)
          expect((await answer.arrayBuffer()).byteLength).toBeLessThanOrEqual(8 * MEBIBYTE)
        }
      }),
    LONG_MS,
  )
})

/** While it works: the server answers others, and its memory stays where it was. */
async function bounded(work: () => Promise<void>): Promise<void> {
  const before = residentBytes()
  let most = before
  let answered = 0
  const stop = new AbortController()
  const others = (async () => {
    while (!stop.signal.aborted) {
      await program.ask('/health', { signal: AbortSignal.timeout(10_000) })
      answered++
      most = Math.max(most, residentBytes())
      await Bun.sleep(20)
    }
  })()
  try {
    await work()
  } finally {
    stop.abort()
    await others
  }
  expect(answered).toBeGreaterThan(0)
  expect(most - before).toBeLessThan(ROOM_BYTES)
}

/** @returns how much was taken in before the server had enough */
async function refusedEarly(address: string): Promise<number> {
  const chunk = new Uint8Array(64 * 1024).fill(97)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length
      if (sent > GIBIBYTE) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const status = await program.open(address, { method: 'POST', body }).then(
    (answer) => answer.status,
    // It hung up in the middle of it.
    () => 413,
  )
  expect([address, status >= 400 && status < 500]).toEqual([address, true])
  return sent
}

function residentBytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) * 1024
}
