import { sealed } from '../../src/server/storage/test-sealed.ts'
import { BULK_MEDIA_TYPE, bulkHead } from '../../src/shared/contract/bulk.ts'
import type { Program } from '../contract/program.ts'
import type { Operation, Scene } from './operation.ts'
import { type Expected, plantTree, type Tree, wrongIn } from './tree.ts'

export const ONE = 70_001
export const TWO = 90_002
const THREE = 110_003
const MORE = 1_500_004
const SMALL = 10_005

/** What people do to files and folders. */
export const treeOperations = (): Operation[] => [
  onTree('upload', { before: {}, after: { 'here/a': ONE }, atOnce: true }, (to, ask) => ask(to('here/a'), post(ONE))),
  onTree('upload, large', { before: {}, after: { 'here/a': MORE }, atOnce: true }, (to, ask) => ask(to('here/a'), post(MORE))),
  onTree(
    'upload into a new folder',
    { before: {}, after: { 'here/n': 'folder', 'here/n/m': 'folder', 'here/n/m/a': ONE }, atOnce: false },
    (to, ask) => ask(to('here/n/m/a'), post(ONE)),
  ),
  onTree(
    'bulk upload',
    {
      before: { 'here/a': ONE },
      after: { 'here/a': SMALL, 'here/b': SMALL + 1, 'here/n': 'folder', 'here/n/c': SMALL + 2, 'here/d': SMALL + 3 },
      atOnce: false,
    },
    (_, ask, scene) => ask('/api/bulk', bulkPost(['here/a', 'here/b', 'here/n/c', 'here/d'].map((name) => scene.path(name)))),
  ),
  onTree('upload over', { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, (to, ask) =>
    ask(`${to('here/a')}?override=true`, post(TWO)),
  ),
  onTree('save', { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, (to, ask) =>
    ask(to('here/a'), { method: 'PUT', body: sealed(TWO) }),
  ),
  onTree('new folder', { before: {}, after: { 'here/n': 'folder' }, atOnce: true }, (to, ask) =>
    ask(`${to('here/n')}/`, { method: 'POST' }),
  ),
  ...(['here', 'there'] as const).flatMap((goal) => transfers(goal)),
  onTree('delete a file', { before: { 'here/a': ONE }, after: {}, atOnce: true }, (to, ask) =>
    ask(`${to('here/a')}?permanent=true`, { method: 'DELETE' }),
  ),
  onTree('delete a folder', { before: branch('here/d'), after: {}, atOnce: false }, (to, ask) =>
    ask(`${to('here/d')}?permanent=true`, { method: 'DELETE' }),
  ),
]

type Ask = (address: string, init: RequestInit) => Promise<unknown>
type Act = (to: (name: string) => string, ask: Ask, scene: Scene, server: Program) => Promise<unknown>

/** An operation that makes one tree of another. */
export function onTree(
  name: string,
  expected: Expected,
  act: Act,
  prepare?: (scene: Scene, server: Program) => Promise<unknown>,
): Operation {
  return {
    name,
    async prepare(scene, server) {
      plantTree(scene.folders, expected.before)
      await prepare?.(scene, server)
    },
    async act(scene, server) {
      const to = (at: string): string => `/api/resources/${scene.path(at)}`
      await act(to, (address, init) => server.ask(address, init), scene, server)
    },
    verify: async (scene, _, acknowledged) => wrongIn(scene.folders, expected, acknowledged),
  }
}

/** A folder with files at two levels. */
export function branch(folder: string, sizes: readonly [number, number, number] = [ONE, TWO, THREE]): Tree {
  return {
    [folder]: 'folder',
    [`${folder}/a`]: sizes[0],
    [`${folder}/sub`]: 'folder',
    [`${folder}/sub/b`]: sizes[1],
    [`${folder}/sub/deep`]: sizes[2],
  }
}

/** Copies and moves within one file system (`here`) or into another. */
function transfers(goal: 'here' | 'there'): Operation[] {
  const where = goal === 'here' ? '' : ' to another disk'
  const a = { 'here/a': ONE }
  const old = { [`${goal}/b`]: TWO }
  const made = { [`${goal}/b`]: ONE }
  const folder = branch('here/d')
  const placed = branch(`${goal}/e`)
  const standing: Tree = { [`${goal}/e`]: 'folder', [`${goal}/e/a`]: 5000, [`${goal}/e/own`]: 6000 }
  const pairs = Object.keys(folder)
    .filter((name) => folder[name] !== 'folder')
    .map((name) => [name, name.replace('here/d', `${goal}/e`)] as const)
  const isRename = goal === 'here'
  const operation = (action: 'copy' | 'rename', options: { of: string; replace?: boolean }): Act => {
    return (to, ask, scene) => {
      const name = options.of === 'a' ? 'b' : 'e'
      const destination = encodeURIComponent(`/${scene.path(`${goal}/${name}`)}`)
      return ask(`${to(`here/${options.of}`)}?action=${action}&destination=${destination}&override=${options.replace === true}`, {
        method: 'PATCH',
      })
    }
  }
  return [
    onTree(`copy a file${where}`, { before: a, after: { ...a, ...made }, atOnce: true }, operation('copy', { of: 'a' })),
    onTree(
      `copy a file over another${where}`,
      { before: { ...a, ...old }, after: { ...a, ...made }, atOnce: true },
      operation('copy', { of: 'a', replace: true }),
    ),
    onTree(`copy a folder${where}`, { before: folder, after: { ...folder, ...placed }, atOnce: false }, operation('copy', { of: 'd' })),
    onTree(
      `move a file${where}`,
      { before: a, after: made, atOnce: isRename, oneOf: [['here/a', `${goal}/b`]] },
      operation('rename', { of: 'a' }),
    ),
    onTree(
      `move a file over another${where}`,
      { before: { ...a, ...old }, after: made, atOnce: isRename, oneOf: [['here/a', `${goal}/b`]] },
      operation('rename', { of: 'a', replace: true }),
    ),
    onTree(`move a folder${where}`, { before: folder, after: placed, atOnce: isRename, oneOf: pairs }, operation('rename', { of: 'd' })),
    onTree(
      `merge a folder into another${where}`,
      { before: { ...folder, ...standing }, after: { ...standing, ...placed }, atOnce: false, oneOf: pairs },
      operation('rename', { of: 'd', replace: true }),
    ),
  ]
}

function post(size: number): RequestInit {
  return { method: 'POST', body: sealed(size) }
}

/** Small files in one request, of `SMALL` bytes and one more each. */
function bulkPost(paths: readonly string[]): RequestInit {
  const contents = paths.map((_, index) => sealed(SMALL + index))
  const head = bulkHead(paths.map((path, index) => ({ path: `/${path}`, size: contents[index]?.length ?? 0, override: true })))
  return { method: 'POST', headers: { 'content-type': BULK_MEDIA_TYPE }, body: new Blob([head, ...contents]) }
}
