import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { sealed } from '../../src/server/storage/test-sealed.ts'
import type { Program } from '../contract/program.ts'
import type { Operation, Scene } from './operation.ts'
import { plantTree, wrongIn } from './tree.ts'

const TUS_BYTES = 300_007
const TUS = { 'tus-resumable': TUS_VERSION }
/** How long the lease of a server that was killed keeps others out, and a little more. */
const LEASE_MS = 8000

/** An upload that is announced, sent in pieces, and gone on with after the server was killed. */
export const tusOperations = (): Operation[] => [
  tus('announce', { begun: false, sent: 0, sending: 0 }),
  tus('append', { begun: true, sent: 100_000, sending: 100_000 }),
  tus('finish', { begun: true, sent: 200_000, sending: 100_007 }),
]

/** Whether it was announced, and how much was sent before; and how much is sent while the server is killed. */
interface Part {
  readonly begun: boolean
  readonly sent: number
  readonly sending: number
}

function tus(name: string, { begun, sent, sending }: Part): Operation {
  const bytes = sealed(TUS_BYTES - sealed(0).length)
  const address = (scene: Scene): string => `/api/tus/${scene.path('here/a')}`
  const announce = (scene: Scene, server: Program): Promise<unknown> =>
    server.ask(address(scene), {
      method: 'POST',
      headers: { ...TUS, 'upload-length': String(TUS_BYTES), 'upload-metadata': `filename ${btoa(scene.run)}` },
    })
  const send = (scene: Scene, server: Program, from: number, to: number): Promise<unknown> =>
    server.ask(address(scene), {
      method: 'PATCH',
      headers: { ...TUS, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE },
      body: bytes.slice(from, to),
    })
  return {
    name: `resumable upload: ${name}`,
    async prepare(scene, server) {
      plantTree(scene.folders, {})
      if (begun) await announce(scene, server)
      if (sent > 0) await send(scene, server, 0, sent)
    },
    async act(scene, server) {
      if (!begun) await announce(scene, server)
      if (sending > 0) await send(scene, server, sent, sent + sending)
    },
    async verify(scene, server, acknowledged) {
      const done = { 'here/a': TUS_BYTES - sealed(0).length }
      const isLast = sent + sending === TUS_BYTES
      const wrong = wrongIn(scene.folders, { before: {}, after: isLast ? done : {}, atOnce: true }, acknowledged)
      const told = await patiently(() => server.open(address(scene), { method: 'HEAD', headers: TUS }))
      const offset = Number(told.headers.get('upload-offset'))
      if (!told.ok && (acknowledged || begun)) return [...wrong, `the upload was lost: ${told.status}`]
      const known = acknowledged ? sent + sending : sent
      if (offset < known) wrong.push(`${known} bytes were acknowledged, and ${offset} are here`)
      if (!told.ok) await announce(scene, server)
      if (offset < TUS_BYTES) {
        const body = bytes.slice(offset)
        const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }
        const rest = await patiently(() => server.open(address(scene), { method: 'PATCH', headers, body }))
        if (!rest.ok) wrong.push(`it could not go on at ${offset}: ${rest.status}`)
      }
      return [...wrong, ...wrongIn(scene.folders, { before: {}, after: done, atOnce: true }, true)]
    },
  }
}

/** As long as the answer is that somebody else is at work on it. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (const end = Date.now() + LEASE_MS; ; await Bun.sleep(100)) {
    const answer = await ask()
    if (answer.status !== 423 || Date.now() > end) return answer
  }
}
