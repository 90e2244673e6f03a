import { expect, it } from 'bun:test'
import type { Outcome, Sandbox } from '../sandbox/sandbox.ts'
import { stillOf } from './still.ts'

const { signal } = new AbortController()

it.each([
  ['by its limits', { ended: 'too-much-memory', exitCode: null }],
  ['out of time', { ended: 'too-long', exitCode: null }],
  ['by the system, for want of memory', { ended: 'exited', exitCode: 137 }],
] as const)('B4: a video whose program was ended %s is tried again later', async (_, way) => {
  expect(await still('video', [way])).toBe('crashed')
})

it('B4: a video, audio file or page without a picture has none', async () => {
  const refused: Way = { ended: 'exited', exitCode: 1 }
  // An exit code of its own, by which newer versions of ffmpeg say that this is no film.
  const invalid: Way = { ended: 'exited', exitCode: 183 }
  for (const kind of ['video', 'audio', 'pdf'] as const)
    for (const way of [refused, invalid]) expect([kind, await still(kind, [way, way])]).toEqual([kind, null])
})

it('a video that is too short for the usual frame gets an earlier one', async () => {
  const found = await still('video', [
    { ended: 'exited', exitCode: 1 },
    { ended: 'exited', exitCode: 0, stdout: Buffer.from('a picture') },
  ])
  expect(found).toEqual(new Uint8Array(Buffer.from('a picture')))
})

type Way = Pick<Outcome, 'ended' | 'exitCode'> & { stdout?: Uint8Array }

/** What comes of programs that end in these ways, one after the other. */
async function still(kind: 'video' | 'audio' | 'pdf', ways: readonly Way[]) {
  const left = [...ways]
  const notHere = (): Promise<never> => Promise.reject(new Error('not here'))
  const run = async () => ({ stdout: new Uint8Array(), stderr: new Uint8Array(), ...(left.shift() ?? (await notHere())) })
  const sandbox: Sandbox = { unavailable: async () => null, start: notHere, run, openTerminal: null }
  return stillOf(sandbox, kind, { descriptor: 7, signal })
}
