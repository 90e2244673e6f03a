import { expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { failure, locate, read, write } from './test-samples.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

const RACE_MS = 1500
/** On a busy machine it takes longer to see both sides this often. */
const SIGHTINGS = 100
const RACE_MAX_MS = 15_000

/** Swaps the folder `a` and a link to outside, as fast as it can. */
const SWAPPER = `
  const { renameSync } = require('node:fs')
  process.chdir(process.argv[1])
  console.log('swapping')
  for (;;) {
    renameSync('a', 'real'); renameSync('link', 'a')
    renameSync('a', 'link'); renameSync('real', 'a')
  }`

it('never leaves the root while a folder and a link to outside are swapped (GHSA-239w-m3h6-ch8v, D.4, R3)', async () => {
  const top = mkdtempSync(join(tmpdir(), 'race-'))
  const [root, outside] = [`${top}/root`, `${top}/outside`]
  for (const [folder, word] of [
    [`${root}/a`, 'inside'],
    [outside, 'LEAK'],
  ] as const) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['file', 'victim', `only-${word}`]) writeFileSync(`${folder}/${name}`, word)
  }
  symlinkSync(outside, `${root}/link`)
  const storage = createLocalStorage(root)
  const seen = { inside: 0, leaked: 0, refused: 0 }
  const swapper = Bun.spawn([...RUNTIME_COMMAND, '-e', SWAPPER, root], { stdout: 'pipe' })
  await swapper.stdout.getReader().read()
  try {
    const started = Date.now()
    const goesOn = (ms: number): boolean => ms < RACE_MS || (ms < RACE_MAX_MS && Math.min(seen.inside, seen.refused) < SIGHTINGS)
    for (let round = 0; goesOn(Date.now() - started); round++) {
      const staged = storage.stage('race', { near: ROOT })
      for (const look of [
        async () => read(storage, at('/a/file')),
        async () => [...(await storage.list(at('/a'))).names].join(),
        async () => read(storage, await locate(storage, at('/a/file'), { within: ROOT, leaf: 'follow' })),
        async () => {
          await staged.copyFrom(at('/a/file'))
          return (await staged.size()) === 'inside'.length ? 'inside' : 'LEAK'
        },
      ]) {
        try {
          const found = await look()
          seen[found.includes('LEAK') ? 'leaked' : 'inside']++
        } catch {
          seen.refused++
        }
      }
      await failure(storage.makeFolder(at('/a/folder')))
      // Waiting for the disk would leave little time for the rest.
      if (round % 20 === 0) await failure(write(storage, at('/a/file'), 'inside', { replace: true }))
      await failure(storage.move(at('/a/victim'), at('/a/moved'), { replace: false }))
      await failure(storage.move(at('/a/moved'), at('/a/victim'), { replace: false }))
      await failure(storage.remove(at('/a/folder')))
    }
  } finally {
    swapper.kill('SIGKILL')
    await swapper.exited
  }
  expect(seen.leaked).toBe(0)
  expect(seen.inside).toBeGreaterThanOrEqual(SIGHTINGS)
  expect(seen.refused).toBeGreaterThanOrEqual(SIGHTINGS)
  expect(readdirSync(outside).sort()).toEqual(['file', 'only-LEAK', 'victim'])
  expect(readFileSync(`${outside}/file`, 'utf8')).toBe('LEAK')
  rmSync(top, { recursive: true })
}, 300_000)
