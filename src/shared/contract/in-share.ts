import { type Endpoint, endpointsOf } from './endpoint.ts'
import type { CallName } from './by-token.ts'
import { api } from './index.ts'

/**
 * Whether a call may be made within a share with people (`/with-me/ID/api/…`). `files`: it acts on what is shared. `own`: it is about the caller, and is
 * answered as if it had been made outside. Everything else is refused: it would speak of the caller's own tree, or of accounts.
 */
export type ShareUse = 'files' | 'own' | 'no'

const USES: Readonly<Partial<Record<CallName, Exclude<ShareUse, 'no'>>>> = {
  'session.renew': 'own',
  'session.logout': 'own',
  'users.get': 'own',
  'users.update': 'own',
  'peopleShares.received': 'own',
  'resources.recursive': 'files',
  'resources.rows': 'files',
  'resources.rowsInParts': 'files',
  'resources.get': 'files',
  'resources.upload': 'files',
  'resources.save': 'files',
  'resources.remove': 'files',
  'resources.transfer': 'files',
  'resources.usage': 'files',
  'resources.subtitle': 'files',
  'search.lines': 'files',
  'search.run': 'files',
  'search.documentText': 'files',
  'raw.get': 'files',
  'previews.get': 'files',
  'photos.list': 'files',
  'photos.facts': 'files',
  'tus.options': 'files',
  'tus.create': 'files',
  'tus.offset': 'files',
  'tus.append': 'files',
  'tus.cancel': 'files',
  'bulk.upload': 'files',
  'live.folder': 'files',
  'unpack.list': 'files',
  'unpack.entry': 'files',
  'jobs.start': 'files',
  'jobs.list': 'own',
  'jobs.remove': 'own',
  'sizes.folder': 'files',
  'sizes.largest': 'files',
  'sizes.duplicates': 'files',
  'trash.policy': 'own',
  'quotas.mine': 'own',
  'operations.latest': 'files',
  'operations.undo': 'files',
  'operations.redo': 'files',
  'versions.content': 'files',
  'versions.list': 'files',
  'versions.restore': 'files',
}

const uses: ReadonlyMap<Endpoint, ShareUse> = new Map(
  // The table is by names of the tree.
  endpointsOf(api).map(({ name, call }) => [call, USES[name as CallName] ?? 'no']),
)

/** A call that is not in the contract is none within a share. */
export function shareUseOf(call: Endpoint): ShareUse {
  return uses.get(call) ?? 'no'
}
