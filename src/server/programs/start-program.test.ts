import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'bun:test'
import type { ProgramPlace } from '../entries/entries.ts'
import { createBubblewrap } from '../sandbox/bubblewrap.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { startProgram } from './start-program.ts'

/** Of a machine without bubblewrap. */
const NONE: Sandbox = {
  unavailable: async () => 'there is none',
  start: async () => Promise.reject(new Error('not here')),
  run: async () => Promise.reject(new Error('not here')),
  openTerminal: null,
}

it('reports how a program without sandbox ended: by itself, by timeout, or by abort', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'))
  const [short, long] = [join(folder, 'short.ts'), join(folder, 'long.ts')]
  await writeFile(short, 'process.exit(3)')
  await writeFile(long, 'setInterval(() => undefined, 1000)')
  const stop = new AbortController()
  const ended = await Promise.all([
    startProgram(NONE, { ...place(short), limits: { wallMs: 60_000 } }).then((program) => program.ended),
    startProgram(NONE, { ...place(long), limits: { wallMs: 1 } }).then((program) => program.ended),
    startProgram(NONE, { ...place(long), limits: { wallMs: 60_000 }, signal: stop.signal }).then((program) => {
      stop.abort()
      return program.ended
    }),
  ])
  expect(ended).toEqual([
    { ended: 'exited', exitCode: 3 },
    { ended: 'too-long', exitCode: null },
    { ended: 'aborted', exitCode: null },
  ])
  await rm(folder, { recursive: true })
})

it('ends a program that has finished, waits forever, or throws', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'))
  const ended = await Promise.all(
    [
      'async () => {}',
      'async () => new Promise(() => {})',
      'async () => { setTimeout(() => { throw new Error() }); await new Promise(() => {}) }',
      'async () => { throw new Error() }',
    ].map(async (main, i) => {
      const file = join(folder, `${i}.ts`)
      await writeFile(file, `import { runProgram } from '${import.meta.dir}/run-program.ts'\nrunProgram(${main})`)
      const program = await startProgram(NONE, { ...place(file), limits: { wallMs: 60_000 } })
      return program.ended
    }),
  )
  expect(ended).toEqual([0, 0, 1, 1].map((exitCode) => ({ ended: 'exited', exitCode })))
  await rm(folder, { recursive: true })
})

it('A19: runs nothing from the current folder, with and without a sandbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'))
  const before = process.cwd()
  try {
    await writeFile(join(folder, 'bunfig.toml'), 'preload = ["./evil.ts"]')
    await writeFile(join(folder, 'evil.ts'), 'console.log("evil")')
    await writeFile(join(folder, '.env'), 'EVIL=evil')
    const file = join(folder, 'program/say.ts')
    await Bun.write(file, 'console.log(process.env.EVIL ?? "nothing")')
    process.chdir(folder)
    for (const sandbox of [NONE, createBubblewrap()]) {
      const program = await startProgram(sandbox, { ...place(file), limits: { wallMs: 60_000 } })
      expect([await new Response(program.stdout).text(), (await program.ended).exitCode]).toEqual(['nothing\n', 0])
    }
  } finally {
    process.chdir(before)
    await rm(folder, { recursive: true })
  }
})

function place(file: string): ProgramPlace {
  return { file, folders: [dirname(file)] }
}
