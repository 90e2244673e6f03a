import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { type Program, slowly, startProgram } from './program.ts'
import { until } from './until.ts'

const HOUR_MS = 3_600_000
const ADDRESS = '/api/tus/film?upload=mine'
const TUS = { 'tus-resumable': TUS_VERSION }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-clock-'))
})
afterEach(() => rmSync(home, { recursive: true }))

it('R12: an upload continues at once after a kill with the clock an hour back', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(1_000_000))
  let token: string
  {
    await using program = await startProgram(home)
    token = program.token
    await program.ask(ADDRESS, { method: 'POST', headers: { ...TUS, 'upload-length': String(bytes.length) } })
    const sending = append(program, { from: 0, body: slowly(bytes, 50) }).catch(() => null)
    await until(async () => (await offsetOf(program)) > 0)
    await program.kill()
    await sending
  }
  const isHeld = laterByAnHour()
  expect(isHeld).toBe(true)
  await using again = await startProgram(home, { token })
  expect(await (await again.open('/api/uploads', {})).json()).toMatchObject([{ path: '/film', active: false }])
  const from = await offsetOf(again)
  expect((await append(again, { from, body: bytes.subarray(from) })).status).toBe(204)
  expect(new Uint8Array(await (await again.open('/api/raw/film', {})).arrayBuffer())).toEqual(bytes)
}, 300_000)

function append(program: Program, { from, body }: { from: number; body: RequestInit['body'] }): Promise<Response> {
  const headers = { ...TUS, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE }
  return program.open(ADDRESS, { method: 'PATCH', headers, body })
}

async function offsetOf(program: Program): Promise<number> {
  return Number((await program.open(ADDRESS, { method: 'HEAD', headers: TUS })).headers.get('upload-offset'))
}

/** The lease of whoever was killed ends an hour later than it did, as by a clock that goes back. @returns whether there was one */
function laterByAnHour(): boolean {
  using db = new Database(join(home, 'data/satchel.db'))
  return db.run('UPDATE uploads SET lease_until = lease_until + ? WHERE lease_until > 0', [HOUR_MS]).changes === 1
}
