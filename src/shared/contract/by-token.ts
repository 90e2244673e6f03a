import { type Endpoint, endpointsOf } from './endpoint.ts'
import { api } from './index.ts'

/**
 * Whether a call may be made with an API token, if its rights suffice. `whole`: only if the token is for the whole tree of its user, because the call
 * concerns more than one folder. `no`: the call needs a sign-in. `anyone`: it is answered as if no token had been sent.
 */
export type TokenUse = 'yes' | 'whole' | 'no' | 'anyone'

type Tree = typeof api
type CallName = { [Area in keyof Tree]: `${Area}.${keyof Tree[Area] & string}` }[keyof Tree]

/** Every call; one that is missing does not compile. A token without rights must not be able to change anything. */
const USES: Readonly<Record<CallName, TokenUse>> = {
  'session.login': 'anyone',
  'session.signup': 'anyone',
  'session.renew': 'no',
  'session.logout': 'no',
  'session.list': 'no',
  'session.end': 'no',
  'session.everywhere': 'no',
  'tokens.list': 'no',
  'tokens.create': 'no',
  'tokens.remove': 'no',
  'users.list': 'whole',
  'users.create': 'no',
  'users.get': 'whole',
  'users.update': 'no',
  'users.welcomed': 'no',
  'users.remove': 'no',
  'settings.get': 'whole',
  // What is sensitive needs a proof of identity, which a token never has.
  'settings.update': 'whole',
  'resources.recursive': 'yes',
  'resources.rows': 'yes',
  'resources.rowsInParts': 'yes',
  'resources.get': 'yes',
  'resources.upload': 'yes',
  'resources.save': 'yes',
  'resources.remove': 'yes',
  'resources.transfer': 'yes',
  'resources.usage': 'yes',
  'resources.subtitle': 'yes',
  'search.lines': 'yes',
  'search.run': 'yes',
  'search.documentText': 'yes',
  'raw.get': 'yes',
  'previews.get': 'yes',
  'tus.options': 'anyone',
  'tus.create': 'yes',
  'tus.offset': 'yes',
  'tus.append': 'yes',
  'tus.unfinished': 'whole',
  'tus.cancel': 'yes',
  'bulk.upload': 'yes',
  'shares.mine': 'whole',
  'shares.ofPath': 'yes',
  'shares.create': 'yes',
  'shares.change': 'whole',
  'shares.visits': 'whole',
  'shares.remove': 'whole',
  'shared.rowsInParts': 'anyone',
  'shared.rows': 'anyone',
  'shared.open': 'anyone',
  'shared.download': 'anyone',
  'shared.preview': 'anyone',
  'shared.subtitle': 'anyone',
  'shared.rename': 'anyone',
  'shared.remove': 'anyone',
  'sent.options': 'anyone',
  'sent.create': 'anyone',
  'sent.offset': 'anyone',
  'sent.append': 'anyone',
  'sent.cancel': 'anyone',
  // Programs see the whole tree.
  'command.socket': 'whole',
  'command.state': 'whole',
  'live.folder': 'yes',
  'audit.list': 'whole',
  'audit.export': 'whole',
  'terminal.socket': 'whole',
  'webhooks.list': 'whole',
  'webhooks.create': 'no',
  'webhooks.update': 'no',
  'webhooks.remove': 'no',
  'webhooks.test': 'no',
  'unpack.list': 'yes',
  'unpack.entry': 'yes',
  'jobs.start': 'whole',
  'jobs.list': 'whole',
  'jobs.remove': 'no',
  'sizes.folder': 'yes',
  'sizes.largest': 'yes',
  'sizes.duplicates': 'yes',
  // What the person arranged for themselves; no right protects it.
  'favourites.mine': 'whole',
  'favourites.arrange': 'no',
  'favourites.star': 'no',
  'favourites.unstar': 'no',
  'favourites.recent': 'whole',
  'favourites.visit': 'no',
  'favourites.keep': 'no',
  'favourites.leave': 'no',
  'favourites.forget': 'no',
  'trash.list': 'whole',
  'trash.policy': 'yes',
  'trash.restore': 'whole',
  'trash.remove': 'whole',
  'trash.empty': 'whole',
  'operations.list': 'whole',
  'operations.latest': 'whole',
  'operations.undo': 'whole',
  'operations.redo': 'whole',
  'rewind.preview': 'whole',
  'rewind.apply': 'whole',
  'versions.content': 'yes',
  'versions.list': 'yes',
  'versions.restore': 'yes',
  'versions.remove': 'yes',
  'snapshots.raw': 'whole',
  'snapshots.entries': 'whole',
  'snapshots.list': 'whole',
  'snapshots.restore': 'whole',
}

const uses: ReadonlyMap<Endpoint, TokenUse> = new Map(
  // The table has a row for each name of the tree: its type says so.
  endpointsOf(api).map(({ name, call }) => [call, USES[name as CallName]]),
)

/** A call that is not in the contract is none for tokens. */
export function tokenUseOf(call: Endpoint): TokenUse {
  return uses.get(call) ?? (call.by === 'anyone' ? 'anyone' : 'no')
}
