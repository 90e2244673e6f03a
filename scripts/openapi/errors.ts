import type { CallName } from '../../src/shared/contract/by-token.ts'
import { tokenUseOf } from '../../src/shared/contract/by-token.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import type { ErrorCode, ErrorDetails } from '../../src/shared/errors.ts'

/** One example of each error. */
export const ERROR_EXAMPLES: ErrorDetails = {
  'invalid-input': { issues: ['destination: missing'] },
  'sign-in-needed': {},
  'invalid-token': {},
  'share-password-needed': {},
  'share-not-yet': { starts: 1_800_000_000 },
  'wrong-credentials': {},
  'directory-away': {},
  'directory-refused': { problem: 'ambiguous' },
  'read-only': {},
  forbidden: { right: 'modify' },
  'own-password-needed': {},
  'own-password-chosen': {},
  'access-changed': {},
  'proof-needed': {},
  'secret-needed': { field: 'clientSecret' },
  'second-factor-needed': { ticket: 'TICKET', ways: ['totp', 'recovery'] },
  'second-factor-setup-needed': {},
  'wrong-code': {},
  'download-refused': {},
  'not-found': { path: '/folder/none.txt' },
  'method-not-allowed': { allow: ['GET', 'HEAD'] },
  'already-exists': { path: '/folder/taken.txt' },
  'name-taken': { username: 'ann' },
  'wrong-offset': { offset: 1_048_576 },
  'precondition-failed': { path: '/folder/changed.txt' },
  'too-large': { limit: 1_048_576 },
  'unsupported-media-type': { expected: 'application/offset+octet-stream' },
  'range-not-satisfiable': { size: 1024 },
  busy: {},
  locked: { path: '/folder/open.odt', by: 'user', holder: 'ann', until: 1_800_000_000_000 },
  'too-many-requests': { retryAfterSeconds: 30 },
  'hook-failed': { output: 'not on a Sunday' },
  'not-previewable': { path: '/folder/a.txt' },
  'archive-refused': { reason: 'damaged' },
  'too-many-favourites': { limit: 200 },
  'storage-full': {},
  'quota-exceeded': { of: 'user', name: '', what: 'bytes', limit: 1_000_000_000, used: 999_999_999 },
  'storage-busy': { retryAfterSeconds: 5 },
  offline: {},
  unexpected: { incident: '4f1c2a' },
}

const SIGN_IN = ['wrong-credentials', 'second-factor-needed', 'directory-away', 'directory-refused', 'too-many-requests'] as const
const STORING = ['locked', 'read-only', 'busy', 'access-changed', 'storage-full', 'quota-exceeded', 'hook-failed'] as const
const PROVEN = ['proof-needed', 'wrong-credentials', 'wrong-code', 'too-many-requests'] as const
const VISITOR = ['share-password-needed', 'share-not-yet', 'wrong-credentials', 'too-many-requests', 'forbidden'] as const
const PATCHES = ['wrong-offset', 'unsupported-media-type', 'too-large'] as const

/** By the area of a call, or its name: what it answers besides what follows from its description. */
const MORE: Readonly<Partial<Record<CallName | keyof typeof AREAS, readonly ErrorCode[]>>> = {
  'session.login': SIGN_IN,
  'session.second': ['sign-in-needed', 'wrong-code', 'too-many-requests'],
  'session.secondChallenge': ['sign-in-needed'],
  'session.passkey': ['wrong-code', 'wrong-credentials', 'too-many-requests'],
  'session.signup': ['forbidden', 'name-taken', 'already-exists', 'too-many-requests'],
  'resources.transfer': ['already-exists', 'precondition-failed', ...STORING],
  'resources.upload': ['already-exists', 'precondition-failed', 'too-large', ...STORING],
  'resources.save': ['precondition-failed', 'too-large', ...STORING],
  'resources.remove': [...STORING],
  'resources.get': ['download-refused'],
  'raw.get': ['download-refused', 'range-not-satisfiable', 'precondition-failed', 'too-large'],
  'previews.get': ['download-refused', 'not-previewable', 'busy'],
  'tus.create': ['already-exists', ...STORING],
  'tus.append': [...PATCHES, ...STORING, 'already-exists'],
  'tus.cancel': ['busy'],
  'bulk.upload': ['too-large', ...STORING],
  'sent.create': ['already-exists', ...STORING],
  'sent.append': [...PATCHES, ...STORING],
  'unpack.list': ['archive-refused'],
  'unpack.entry': ['archive-refused', 'range-not-satisfiable'],
  'jobs.start': ['already-exists', 'archive-refused', 'too-many-requests', ...STORING],
  'versions.content': ['download-refused', 'range-not-satisfiable'],
  'versions.restore': [...STORING],
  'snapshots.raw': ['download-refused', 'range-not-satisfiable'],
  'snapshots.restore': ['already-exists', ...STORING],
  'trash.restore': ['already-exists', ...STORING],
  'trash.empty': ['too-many-requests'],
  'operations.undo': [...STORING, 'already-exists', 'precondition-failed', 'too-many-requests'],
  'operations.redo': [...STORING, 'already-exists', 'precondition-failed', 'too-many-requests'],
  'rewind.apply': [...STORING, 'already-exists', 'too-many-requests'],
  'favourites.star': ['too-many-favourites'],
  'shares.create': ['already-exists', 'busy', 'too-many-requests'],
  'shares.change': ['already-exists', 'busy'],
  'peopleShares.create': ['too-many-requests'],
  'peopleShares.find': ['too-many-requests'],
  'users.create': [...PROVEN, 'already-exists', 'name-taken'],
  'users.update': [...PROVEN, 'already-exists', 'name-taken', 'own-password-chosen'],
  'users.remove': [...PROVEN],
  'people.import': [...PROVEN],
  'people.change': [...PROVEN],
  'tokens.create': [...PROVEN],
  'appSignIns.allow': [...PROVEN],
  'settings.update': [...PROVEN],
  'providers.create': [...PROVEN, 'already-exists'],
  'providers.update': [...PROVEN, 'secret-needed'],
  'directories.create': [...PROVEN, 'already-exists', 'directory-away'],
  'directories.update': [...PROVEN, 'secret-needed', 'directory-away'],
  'directories.check': ['directory-away', 'secret-needed'],
  'directories.try': ['directory-away', 'directory-refused', 'secret-needed', 'wrong-credentials'],
  'mail.update': [...PROVEN, 'secret-needed'],
  'groups.create': [...PROVEN, 'already-exists'],
  'groups.change': [...PROVEN, 'already-exists'],
  'passwordLinks.create': ['too-many-requests'],
  'passwordLinks.ask': ['too-many-requests'],
  'passwordLinks.use': ['not-found', 'too-many-requests'],
  'webhooks.create': [...PROVEN],
  'webhooks.update': [...PROVEN],
  'handOver.start': [...PROVEN, 'busy'],
  'explain.change': ['busy'],
  'viewings.begin': ['not-found', ...PROVEN],
  'passwordLinks.read': ['not-found'],
  'oidc.finish': [...SIGN_IN],
  'oidc.once': ['wrong-credentials'],
  'providers.link': ['not-found', 'already-exists', ...PROVEN],
  'providers.unlink': ['not-found', ...PROVEN],
  factors: ['not-found', ...PROVEN],
  shared: VISITOR,
  sent: VISITOR,
}
const AREAS = { factors: true, shared: true, sent: true } as const

/**
 * The errors that a call can answer, in the order of their status. `unexpected` and `storage-busy` are answers of any call, as is `method-not-allowed` at its
 * address.
 */
export function errorsOf(name: string, call: Endpoint): ErrorCode[] {
  const { by, needs, path, body, query, headers, method } = call
  const [area = ''] = name.split('.')
  const isAboutNode = path.includes('*path')
  const isSignedIn = by !== 'anyone'
  const found: readonly ErrorCode[] = [
    'invalid-input',
    ...(isSignedIn ? (['sign-in-needed', 'own-password-needed', 'second-factor-setup-needed', 'forbidden'] as const) : []),
    ...(tokenUseOf(call) === 'anyone' ? [] : (['invalid-token'] as const)),
    ...(isAboutNode || path.includes(':') || needs.length > 0 ? (['not-found'] as const) : []),
    ...(needs.includes('download') ? (['download-refused'] as const) : []),
    ...(body !== undefined || query !== undefined || headers !== undefined ? (['too-large'] as const) : []),
    ...(method === 'GET' || method === 'HEAD' ? [] : (['storage-full'] as const)),
    ...(MORE[area as keyof typeof AREAS] ?? []),
    ...(MORE[name as CallName] ?? []),
    'too-many-requests',
    'storage-busy',
    'unexpected',
  ]
  return [...new Set(found)]
}
