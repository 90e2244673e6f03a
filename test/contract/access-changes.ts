import type { ACCESS_ROWS, AccessChange } from '../../scripts/security/access-table.ts'
import type { JobRequest } from '../../src/shared/contract/jobs.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { tarOf } from './archive-samples.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import type { StorageAccess } from './storage-gate.ts'
import { deny, EVERYTHING, HOUR_MS, type Product } from './world.ts'

export type MakeChange = (product: Product, by: { token: string; hash: string }) => unknown

export const CHANGES: Record<AccessChange, MakeChange> = {
  rule: (product) => product.setRules('ben', [deny('/tree'), deny('/out')]),
  right: (product) => product.setRights('ben', NO_RIGHTS),
  disabled: async (product) => product.world.users.setDisabled((await product.account('ben')).id, { disabled: true }),
  signedOut: (product, { token }) => product.ask('/api/logout', { method: 'POST', headers: { 'x-auth': token } }),
  removed: (product, { hash }) => product.as('ben').shares.remove({ params: { hash } }),
  expired: (product) => product.pass(2 * HOUR_MS),
  noSharing: (product) => product.setRights('ben', { ...EVERYTHING, share: false }),
  scope: (product) => product.setScope('ben', '/elsewhere'),
  async replaced(product) {
    await product.storage.move(at('/tree'), at('/former'), { replace: false })
    await product.storage.makeFolder(at('/tree'))
    product.pass(2000)
  },
}

const [IN_TREE, IN_OUT] = ['/tree/d4', '/out/tree/d4']
const reading = ({ what, path }: StorageAccess): boolean => what === 'read' && path.startsWith(IN_TREE)
const listing = ({ what, path }: StorageAccess): boolean => what === 'list' && path === IN_TREE
const placing = ({ what, path }: StorageAccess): boolean => what === 'place' && path.startsWith(`${IN_OUT}/f`)

/** How an operation is begun, and at which touch of the storage it is held up. */
export type Measured =
  | { readonly job: JobRequest; readonly stops: (touch: StorageAccess) => boolean }
  | { readonly get: (hash: string) => string; readonly stops: (touch: StorageAccess) => boolean }
  | 'patch'
  | 'events'

const items = (to: string) => [{ from: '/tree', to, replace: to === '/out/tree', rename: false }]

export const OPERATIONS: Record<keyof typeof ACCESS_ROWS, Measured> = {
  copy: { job: { kind: 'copy', items: items('/out/copied') }, stops: reading },
  move: { job: { kind: 'move', items: items('/out/tree') }, stops: placing },
  extract: {
    job: { kind: 'extract', path: '/a.tar', destination: '/out', own: false, inside: '', taken: 'replace', answers: {} },
    stops: placing,
  },
  pack: { job: { kind: 'pack', paths: ['/tree'], destination: '/out/x.zip', format: 'zip', taken: 'refuse' }, stops: reading },
  laidOut: { get: () => '/api/raw/tree?algo=zip', stops: reading },
  compressed: { get: () => '/api/raw/tree?algo=tar.gz', stops: reading },
  shared: { get: (hash) => `/api/public/dl/${hash}?algo=tar.gz`, stops: reading },
  recursive: { get: () => '/api/resources/recursive/', stops: listing },
  names: { get: () => '/api/search/?query=f', stops: listing },
  contents: { get: () => '/api/search/?query=content:needle', stops: listing },
  patch: 'patch',
  events: 'events',
}

/** Files large enough that archives open each by itself, and answers are streamed. */
export function tree(): Record<string, Uint8Array> {
  const bytes = Buffer.alloc(200 * 1024, 'needle ')
  const names = Array.from({ length: 10 }, (_, folder) => Array.from({ length: 2 }, (__, file) => `/tree/d${folder}/f${file}.txt`)).flat()
  const archive = tarOf(names.map((name) => ({ name: name.slice(1), text: 'unpacked' })))
  return { ...Object.fromEntries(names.map((name) => [name, bytes])), '/a.tar': archive, '/out/tree/d4/old.txt': Buffer.from('old') }
}
