import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { manifestOf } from './manifest.ts'
import { type Product, startProduct } from './world.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'

/** In `npm run test:security` as long as the attack that was seen to work elsewhere. */
const RACE_MS = process.env.LONG_TESTS === undefined ? 2000 : 20_000
/** A busy machine is given longer to see both sides this often. */
const SIGHTINGS = 20
const RACE_MAX_MS = 30_000
const LEAK = 'LEAK'

/** Exchanges the folder `a` and a link to outside, each time in one step, as fast as it can. */
const SWAPPER = `
  const { dlopen } = require('bun:ffi')
  const [AT_FDCWD, RENAME_EXCHANGE] = [-100, 2]
  const args = ['i32', 'ptr', 'i32', 'ptr', 'u32']
  const { renameat2 } = dlopen('libc.so.6', { renameat2: { args, returns: 'i32' } }).symbols
  const [a, link] = ['a\\0', 'link\\0'].map((name) => Buffer.from(name))
  process.chdir(process.argv[1])
  console.log('swapping')
  while (renameat2(AT_FDCWD, a, AT_FDCWD, link, RENAME_EXCHANGE) === 0);`

const TUS = { 'tus-resumable': '1.0.0' }
/** Every call that names a file or a folder, at the place that is now inside and now outside. */
const CALLS: readonly [method: string, address: string, init?: RequestInit][] = [
  ['GET', '/api/resources/a'],
  ['GET', '/api/resources/a/file.txt'],
  ['GET', '/api/resources/a/file.txt?checksum=md5'],
  ['GET', '/api/resources/recursive/a'],
  ['GET', '/api/raw/a/file.txt'],
  ['GET', '/api/raw/a/?algo=zip'],
  ['GET', '/api/raw/a/?algo=tar'],
  ['GET', '/api/raw/?algo=tar&files=/a/file.txt&files=/b'],
  ['GET', '/api/subtitle/a/film.srt'],
  ['GET', '/api/search/a/?query=only'],
  ['GET', '/api/preview/thumb/a/file.txt'],
  ['GET', '/api/usage/a'],
  ['PUT', '/api/resources/a/file.txt', { body: 'inside' }],
  ['POST', '/api/resources/a/victim?override=true', { body: 'inside' }],
  ['POST', '/api/resources/a/made/'],
  ['DELETE', '/api/resources/a/made'],
  ['PATCH', '/api/resources/a/file.txt?action=copy&destination=/b/copied.txt&override=true'],
  ['PATCH', '/api/resources/a?action=copy&destination=/b/whole&override=true'],
  ['PATCH', '/api/resources/b/own.txt?action=copy&destination=/a/victim&override=true'],
  ['PATCH', '/api/resources/a/victim?action=rename&destination=/b/moved&override=true'],
  ['PATCH', '/api/resources/b/moved?action=rename&destination=/a/victim'],
  ['DELETE', '/api/resources/a/victim'],
  ['POST', '/api/tus/a/sent.bin?override=true', { headers: { ...TUS, 'upload-length': '6' } }],
  ['PATCH', '/api/tus/a/sent.bin', { headers: { ...TUS, 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }, body: 'inside' }],
  ['DELETE', '/api/tus/a/sent.bin', { headers: TUS }],
]

it('no call leaves the scope while a folder and a link to outside are swapped (A5-6, R3, GHSA-239w-m3h6-ch8v)', async () => {
  const top = mkdtempSync(join(tmpdir(), 'satchel-race-'))
  const [folder, outside] = [join(top, 'root'), join(top, 'outside')]
  for (const [place, word] of [
    [join(folder, 'a'), 'inside'],
    [join(folder, 'b'), 'inside'],
    [outside, LEAK],
  ] as const) {
    mkdirSync(place, { recursive: true })
    for (const name of ['file.txt', 'victim', 'own.txt', `only-${word}.txt`]) writeFileSync(join(place, name), word)
    writeFileSync(join(place, 'film.srt'), `1\n00:00:01,000 --> 00:00:02,000\n${word}\n`)
  }
  symlinkSync(outside, join(folder, 'link'))
  const before = manifestOf(outside)
  const product = await startProduct({ storage: { folder } })
  await product.signIn('ann')
  const swapper = Bun.spawn([...RUNTIME_COMMAND, '-e', SWAPPER, folder], { stdout: 'pipe' })
  await swapper.stdout.getReader().read()
  const seen = { inside: 0, refused: 0, odd: [] as string[] }
  try {
    const started = Date.now()
    const goesOn = (ms: number) => ms < RACE_MS || (ms < RACE_MAX_MS && Math.min(seen.inside, seen.refused) < SIGHTINGS)
    while (goesOn(Date.now() - started))
      for (const [method, address, init] of CALLS) {
        const { status, text } = await answerOf(product, method, address, init)
        if (text.includes(LEAK) || status >= 500) seen.odd.push(`${status} ${method} ${address}`)
        else if (status < 300) seen.inside++
        else seen.refused++
      }
    expect(swapper.exitCode).toBeNull()
  } finally {
    swapper.kill('SIGKILL')
    await swapper.exited
    await product[Symbol.asyncDispose]()
  }
  expect(seen.odd.filter((odd) => !odd.startsWith('501'))).toEqual([])
  expect(seen.inside).toBeGreaterThanOrEqual(SIGHTINGS)
  expect(seen.refused).toBeGreaterThanOrEqual(SIGHTINGS)
  expect(manifestOf(outside)).toEqual(before)
  rmSync(top, { recursive: true })
}, 300_000)

async function answerOf(product: Product, method: string, address: string, init?: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const answer = await product.ask(address, { ...init, method, who: 'ann' })
    return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
  } catch {
    // What changes while an archive is sent breaks the connection: it must not look whole.
    return { status: 499, text: '' }
  }
}
