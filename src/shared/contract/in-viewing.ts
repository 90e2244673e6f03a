import { type Endpoint, endpointsOf } from './endpoint.ts'
import type { CallName } from './by-token.ts'
import { api } from './index.ts'

/**
 * Whether a call may be made while an administrator looks at the files as somebody else (`/view-as/ID/api/…`). `files`: it reads the person's tree, and
 * changes nothing. `own`: it is about the administrator, and is answered as if it had been made outside. Everything else is refused.
 */
export type ViewingUse = 'files' | 'own' | 'no'

const USES: Readonly<Partial<Record<CallName, Exclude<ViewingUse, 'no'>>>> = {
  'session.renew': 'own',
  'session.logout': 'own',
  'users.get': 'own',
  'viewings.get': 'own',
  'viewings.end': 'own',
  'resources.recursive': 'files',
  'resources.rows': 'files',
  'resources.rowsInParts': 'files',
  'resources.get': 'files',
  'resources.subtitle': 'files',
  'search.lines': 'files',
  'search.run': 'files',
  'search.documentText': 'files',
  'raw.get': 'files',
  'previews.get': 'files',
  'photos.list': 'files',
  'photos.facts': 'files',
  'live.folder': 'files',
  'unpack.list': 'files',
  'unpack.entry': 'files',
  'sizes.folder': 'files',
  'sizes.largest': 'files',
  'sizes.duplicates': 'files',
}

const uses: ReadonlyMap<Endpoint, ViewingUse> = new Map(
  // The table is by names of the tree.
  endpointsOf(api).map(({ name, call }) => [call, USES[name as CallName] ?? 'no']),
)

/** A call that is not in the contract is none for somebody who looks as another. */
export function viewingUseOf(call: Endpoint): ViewingUse {
  return uses.get(call) ?? 'no'
}
