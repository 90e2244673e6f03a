import { expect, it } from 'bun:test'
import { callTable } from '../../scripts/client/calls.ts'
import { connectWith } from '../../src/client/connect.ts'
import { upload } from '../../src/client/upload.ts'
import type { WireCall } from '../../src/shared/contract/invoke.ts'

// The table has what `connect` reads of each call.
const CALLS = callTable() as Record<string, Record<string, WireCall>>
const PROGRESS = { 'upload-offset': '3' }

for (const [what, answer] of [
  ['a proxy that does not reach the server', 502],
  ['a server with too much to do', 429],
] as const)
  it(`reader-1: an upload survives ${what} when it asks how much has arrived`, async () => {
    const asked: string[] = []
    const answers: (() => Response)[] = [
      () => new Response(null, { status: 201, headers: { 'upload-offset': '0' } }),
      () => {
        throw new TypeError('connection lost')
      },
      () => new Response(null, { status: answer }),
      () => new Response(null, { status: 200, headers: PROGRESS }),
    ]
    const satchel = connectWith(CALLS, {
      address: 'https://files.example.org',
      async fetch(_, { method }) {
        asked.push(method ?? '')
        return answers.shift()?.() ?? new Response(null, { status: 500 })
      },
    })
    const sent: number[] = []
    await upload(satchel, '/a.txt', new Uint8Array(3), { onProgress: (bytes) => sent.push(bytes) })
    expect(asked).toEqual(['POST', 'PATCH', 'HEAD', 'HEAD'])
    expect(sent).toEqual([0, 3])
  })
