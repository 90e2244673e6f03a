import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole, sealed } from '../../src/server/storage/test-sealed.ts'
import type { Program } from '../contract/program.ts'
import { type Operation, request, type Scene } from './operation.ts'
import { ONE, TWO } from './tree-operations.ts'
import { plantTree } from './tree.ts'

/** A server settles what the one before it left, while it serves already. */
const LONGEST_SETTLING_MS = 10_000
/** Of the content that is restored: whole seconds. */
const LONG_AGO = Date.UTC(2001, 1, 3)

/** Whatever happens, a file has its old or its new content, and the other is a version of it, or is not there yet. */
export const versionOperations = (): Operation[] => [
  replacement('save', 'here/a', (server, address) => request(server, address, { method: 'PUT', body: sealed(TWO) })),
  replacement('save on another disk', 'there/a', (server, address) => request(server, address, { method: 'PUT', body: sealed(TWO) })),
  replacement('move over', 'here/a', (server, address, scene) => {
    const from = `/api/resources/${scene.path('here/b')}`
    const destination = encodeURIComponent(address.slice('/api/resources'.length))
    return request(server, `${from}?action=rename&destination=${destination}&override=true`, { method: 'PATCH' })
  }),
  {
    name: 'a version: restore',
    async prepare(scene, server) {
      plantTree(scene.folders, { 'here/a': TWO })
      utimesSync(fileOf(scene, 'here/a'), new Date(), new Date(LONG_AGO))
      await request(server, `/api/resources/${scene.path('here/a')}`, { method: 'PUT', body: sealed(ONE) })
    },
    async act(scene, server) {
      const [version] = await versionsOf(scene, server, 'here/a')
      await request(server, `/api/versions/${scene.path('here/a')}?id=${version?.id}`, { method: 'POST' })
    },
    verify: (scene, server, acknowledged) => wrongAfter(scene, server, 'here/a', { acknowledged, isRestored: true }),
  },
]

/** From `ONE` to `TWO`. */
function replacement(what: string, name: string, act: (server: Program, address: string, scene: Scene) => Promise<unknown>): Operation {
  return {
    name: `a version: ${what}`,
    prepare: async (scene) => plantTree(scene.folders, { [name]: ONE, 'here/b': TWO }),
    act: async (scene, server) => void (await act(server, `/api/resources/${scene.path(name)}`, scene)),
    verify: (scene, server, acknowledged) => wrongAfter(scene, server, name, { acknowledged, isRestored: false }),
  }
}

interface How {
  readonly acknowledged: boolean
  /** The other content was there before, as a version. */
  readonly isRestored: boolean
}

async function wrongAfter(scene: Scene, server: Program, name: string, { acknowledged, isRestored }: How): Promise<string[]> {
  const bytes = readFileSync(fileOf(scene, name))
  const size = isWhole(bytes) ? bytes.length - sealed(0).length : 0
  if (size !== ONE && size !== TWO) return [`${name} is neither old nor new`]
  if (acknowledged && size !== TWO) return [`acknowledged, and ${name} is old`]
  const expected = size === TWO ? [ONE] : isRestored ? [TWO] : []
  const end = Date.now() + LONGEST_SETTLING_MS
  for (;;) {
    const versions = await versionsOf(scene, server, name)
    const sizes = await Promise.all(versions.map(({ id }) => sizeOf(scene, server, name, id)))
    const isAsBefore = !isRestored || size === TWO || (await timeOf(scene, server, name, versions[0]?.id)) === LONG_AGO
    if (Bun.deepEquals(sizes, expected) && isAsBefore) return []
    if (Date.now() > end && !isAsBefore) return [`${name} is ${size}, and the time of its version was changed`]
    if (Date.now() > end) return [`${name} is ${size}, and its versions are ${sizes.join()} instead of ${expected.join()}`]
    await Bun.sleep(20)
  }
}

/** 0 if it is torn. */
async function sizeOf(scene: Scene, server: Program, name: string, id: string): Promise<number> {
  const response = await server.open(`/api/versions/${scene.path(name)}?id=${id}`, { method: 'GET' })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return response.ok && isWhole(bytes) ? bytes.length - sealed(0).length : 0
}

/** Of a version that was not restored: milliseconds since 1970. */
async function timeOf(scene: Scene, server: Program, name: string, id: string | undefined): Promise<number> {
  const response = await server.open(`/api/versions/${scene.path(name)}?id=${id}`, { method: 'HEAD' })
  await response.arrayBuffer()
  return Date.parse(response.headers.get('last-modified') ?? '')
}

async function versionsOf(scene: Scene, server: Program, name: string): Promise<{ id: string }[]> {
  const response = await request(server, `/api/versions/${scene.path(name)}`, { method: 'GET' })
  // Of our own server.
  return ((await response.json()) as { versions: { id: string }[] }).versions
}

function fileOf({ folders }: Scene, name: string): string {
  return name.startsWith('there/') ? join(folders.there, name.slice(6)) : join(folders.here, name.slice(5))
}
