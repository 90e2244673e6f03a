import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { driveOn, plant } from '../drive/samples.suite.ts'
import { headBytes } from '../programs/frames.ts'
import type { Running, Sandbox } from '../sandbox/sandbox.ts'
import { createUnpacker } from './unpacker.ts'

const HALF = [
  headBytes({ entry: { name: 'a.txt', kind: 'file', size: 9, modified: null } }),
  headBytes({ chunk: 9, read: 1 }),
  new Uint8Array(3),
]

it.each([
  ['killed for want of memory', { ended: 'exited', exitCode: 137 }, 'stopped'],
  ['killed by its limits', { ended: 'too-much-memory', exitCode: null }, 'stopped'],
  ['out of time', { ended: 'too-long', exitCode: null }, 'time'],
  ['ended by what it read', { ended: 'exited', exitCode: 1 }, 'damaged'],
  ['ended well, in the middle', { ended: 'exited', exitCode: 0 }, 'damaged'],
] as const)('R9: a program that was %s', async (_, ending, reason) => {
  for (const output of [[], HALF.slice(0, 1), HALF]) {
    const unpacker = createUnpacker({ sandbox: ofProgram(output, ending) })
    expect(await problemOf(unpacker)).toMatchObject({ code: 'archive-refused', detail: { reason } })
  }
})

it('R9: a problem reported by the program is used, however the program ends', async () => {
  const unpacker = createUnpacker({ sandbox: ofProgram([headBytes({ problem: 'encrypted' })], { ended: 'exited', exitCode: 137 }) })
  expect(await problemOf(unpacker)).toMatchObject({ detail: { reason: 'encrypted' } })
})

async function problemOf(unpacker: ReturnType<typeof createUnpacker>): Promise<unknown> {
  const drive = driveOn(await plant({ '/a.zip': 'an archive' }))
  await using file = await drive.open(at('/a.zip'))
  const options = { clientKey: 'user 1', signal: new AbortController().signal }
  try {
    for await (const { bytes } of unpacker.entries(file, { what: 'read', only: null }, options)) for await (const _ of bytes) void _
    return null
  } catch (error) {
    return error
  }
}

function ofProgram(output: readonly Uint8Array[], ending: Awaited<Running['ended']>): Sandbox {
  const notHere = () => Promise.reject(new Error('not here'))
  const start = async (): Promise<Running> => ({
    write: async () => undefined,
    endInput: () => undefined,
    stdout: new Response(Buffer.concat([...output])).body ?? new ReadableStream(),
    stderr: new Response('').body ?? new ReadableStream(),
    ended: Promise.resolve(ending),
    kill: () => undefined,
  })
  return { unavailable: async () => null, start, run: notHere, openTerminal: null }
}
