import { afterAll, beforeAll, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { type Program, slowly, startProgram } from './program.ts'

const TIMES = 200
const BYTES = 8_000_000
const SETTLE_MS = 10_000

const home = mkdtempSync(join(tmpdir(), 'satchel-leaks-'))
let program: Program
beforeAll(async () => {
  program = await startProgram(home)
  writeFileSync(join(home, 'root/big'), Buffer.alloc(BYTES, 'x'))
})
afterAll(async () => {
  await program.kill()
  rmSync(home, { recursive: true, force: true })
})

it('200 aborted downloads and uploads leave no open descriptor', async () => {
  const before = await cutOffAll(1)
  const after = await cutOffAll(TIMES, { until: before })
  expect(after).toBeLessThanOrEqual(before)
  expect(readdirSync(join(home, 'root')).sort()).toEqual(['.satchel', 'big'])
}, 300_000)

/** @returns the descriptors that are open when things have settled */
async function cutOffAll(times: number, { until = 0 } = {}): Promise<number> {
  for (let turn = 0; turn < times; turn++) {
    await Promise.all([download(), upload(`/api/resources/posted-${turn}`, { method: 'POST' }), tus(turn)])
  }
  const end = Date.now() + (until === 0 ? 1000 : SETTLE_MS)
  while (descriptors() > until && Date.now() < end) await Bun.sleep(50)
  return descriptors()
}

async function download(): Promise<void> {
  const stop = new AbortController()
  const answer = await program.open('/api/raw/big', { signal: stop.signal })
  await answer.body?.getReader().read()
  stop.abort()
}

async function upload(address: string, init: RequestInit): Promise<void> {
  const stop = new AbortController()
  const sending = program.open(address, { ...init, body: slowly(new Uint8Array(BYTES), 2), signal: stop.signal })
  await Bun.sleep(15)
  stop.abort()
  await expect(sending).rejects.toThrow()
}

async function tus(turn: number): Promise<void> {
  const address = `/api/tus/resumed-${turn}`
  const headers = { 'tus-resumable': TUS_VERSION }
  await program.ask(address, { method: 'POST', headers: { ...headers, 'upload-length': String(BYTES) } })
  await upload(address, { method: 'PATCH', headers: { ...headers, 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE } })
}

function descriptors(): number {
  return readdirSync(`/proc/${program.pid}/fd`).length
}
