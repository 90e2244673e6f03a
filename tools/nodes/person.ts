import { randomBytes } from 'node:crypto'
import { TUS_VERSION, OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { PASSWORD } from './cluster.ts'
import type { Answer, Findings, Wire } from './wire.ts'

const TUS = { 'tus-resumable': TUS_VERSION }
const PIECE_BYTES = 256 * 1024
const MOST_BYTES = 2 * 1024 * 1024
const MOST_FILES = 20

export interface Person {
  /** What was acknowledged: the content of each path, as a hash. */
  readonly files: ReadonlyMap<string, string>
  act(): Promise<void>
}

export function hashOf(bytes: Uint8Array): string {
  return Bun.SHA256.hash(bytes, 'hex')
}

/** Somebody with a folder of their own, who remembers what the servers acknowledged, and looks whether it is still there. */
export function createPerson({ name, folder, wire, findings }: { name: string; folder: string; wire: Wire; findings: Findings }): Person {
  const files = new Map<string, string>()
  let made = 0
  const wrong = (text: string): void => void findings.violations.push(`${folder}: ${text}`)
  const expect = ({ status, body }: Answer, ...wanted: number[]): void => {
    if (!wanted.includes(status)) wrong(`status ${status} instead of ${wanted.join()}: ${body.subarray(0, 200).toString()}`)
  }
  const anyFile = (): string | undefined => [...files.keys()][Math.floor(Math.random() * files.size)]
  const contentAt = async (path: string): Promise<string | null> => {
    const answer = await wire.ask(`/api/raw${path}`)
    if (answer.status !== 200) expect(answer, 200, 404)
    return answer.status === 200 ? hashOf(answer.body) : null
  }

  /** By tus, in pieces; continues where a server says that it is after a failure. */
  async function upload(): Promise<void> {
    const path = `${folder}/${made++}.bin`
    const bytes = randomBytes(1 + Math.floor(Math.random() * MOST_BYTES))
    const address = `/api/tus${path}?upload=u${made}`
    const created = await wire.ask(
      address,
      { method: 'POST', headers: { ...TUS, 'upload-length': String(bytes.length) } },
      (status) => status === 409,
    )
    if (created.failures === 0) expect(created, 201)
    let offset = 0
    let acknowledged = 0
    while (offset < bytes.length) {
      const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }
      const sent = await wire.once(address, { method: 'PATCH', headers, body: bytes.subarray(offset, offset + PIECE_BYTES) })
      if (sent?.status === 204) {
        acknowledged = offset = Number(sent.headers.get('upload-offset'))
        wire.advanced()
        continue
      }
      const asked = await wire.ask(address, { method: 'HEAD', headers: TUS })
      if (asked.status === 404) {
        // Perhaps the last piece was taken, and the answer was lost.
        if ((await contentAt(path)) === hashOf(bytes)) break
        return wrong(`${path}: the upload is gone after ${acknowledged} acknowledged bytes`)
      }
      offset = Number(asked.headers.get('upload-offset'))
      if (!(offset >= acknowledged)) return wrong(`${path}: ${acknowledged} bytes were acknowledged, ${offset} are there`)
    }
    files.set(path, hashOf(bytes))
  }

  async function download(): Promise<void> {
    const path = anyFile()
    if (path === undefined) return
    if ((await contentAt(path)) !== files.get(path)) wrong(`${path}: not what was acknowledged`)
  }

  async function rename(): Promise<void> {
    const path = anyFile()
    if (path === undefined) return
    const to = `${folder}/renamed-${made++}.bin`
    const answer = await wire.ask(
      `/api/resources${path}?action=rename&destination=${encodeURIComponent(to)}`,
      { method: 'PATCH' },
      () => false,
    )
    // A first attempt whose answer was lost may have done it.
    expect(answer, 200, ...(answer.failures > 0 ? [404, 409] : []))
    const content = files.get(path) ?? ''
    const [before, after] = answer.status === 200 ? [null, content] : [await contentAt(path), await contentAt(to)]
    files.delete(path)
    if (after === content) files.set(to, content)
    else if (before === content) files.set(path, content)
    else wrong(`${path}: lost by a rename to ${to}`)
  }

  async function save(): Promise<void> {
    const path = `${folder}/notes.txt`
    const text = `${made++} ${crypto.randomUUID()}`
    const method = files.has(path) ? 'PUT' : 'POST'
    const answer = await wire.ask(`/api/resources${path}`, { method, body: text })
    expect(answer, 200, 201, ...(answer.failures > 0 ? [409] : []))
    files.set(path, hashOf(Buffer.from(text)))
    if (answer.failures > 0 && (await contentAt(path)) !== files.get(path)) wrong(`${path}: not what was saved`)
  }

  async function list(): Promise<void> {
    const answer = await wire.ask(`/api/resources${folder}/`)
    expect(answer, 200, ...(files.size === 0 ? [404] : []))
    if (answer.status !== 200) return
    const { items } = JSON.parse(answer.body.toString()) as { items: { name: string }[] }
    const names = new Set(items.map((item) => `${folder}/${item.name}`))
    for (const path of files.keys()) if (!names.has(path)) wrong(`${path}: not listed`)
  }

  async function remove(): Promise<void> {
    const path = anyFile()
    if (path === undefined || files.size < MOST_FILES) return
    const answer = await wire.ask(`/api/resources${path}`, { method: 'DELETE' })
    expect(answer, 200, 204, ...(answer.failures > 0 ? [404] : []))
    files.delete(path)
  }

  const WORK = { upload, download, rename, save, list, remove, 'sign in': () => wire.signIn(name, PASSWORD) } as const
  /** How often of a hundred. */
  const SHARES = { upload: 22, download: 25, rename: 12, save: 14, list: 18, remove: 7, 'sign in': 2 } as const

  return {
    files,
    async act() {
      let dice = Math.random() * 100
      for (const kind of Object.keys(WORK) as (keyof typeof WORK)[]) {
        dice -= SHARES[kind]
        if (dice < 0) return wire.timed(kind, WORK[kind])
      }
    },
  }
}
