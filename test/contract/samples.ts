import { bulkHead } from '../../src/shared/contract/bulk.ts'
import type { Args, Client } from '../../src/shared/contract/client.ts'
import { type Endpoint, href, type QueryInput, type Right } from '../../src/shared/contract/endpoint.ts'
import type { api } from '../../src/shared/contract/index.ts'
import { ROLES } from '../../src/shared/contract/rights.ts'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { joinPath, parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import type { Settings } from '../../src/server/settings/settings.ts'
import { tarOf, zipOf } from './archive-samples.ts'
import { PASSWORD } from './world.ts'

type Tree = typeof api
export type EndpointName = { [Area in keyof Tree]: `${Area}.${keyof Tree[Area] & string}` }[keyof Tree]
type Named<Name extends EndpointName> = Name extends `${infer Area extends keyof Tree}.${infer Call}`
  ? Call extends keyof Tree[Area]
    ? Tree[Area][Call] extends Endpoint
      ? Tree[Area][Call]
      : never
    : never
  : never

export interface Sample<E extends Endpoint> {
  readonly says: string
  /**
   * @param id the caller's own
   * @param found what `before` gave, where it was done
   */
  readonly args: (id: string, found?: string) => Args<E>
  /** Rights these arguments need on top of the call's own. */
  readonly also?: readonly Right[]
  /** Settings without which nobody may. */
  readonly given?: Partial<Settings>
  /** Preparation, done by the caller, who may be refused. */
  readonly before?: (client: Client<Tree>) => Promise<unknown>
  /** The status that says it was let in, where that is no success. */
  readonly letIn?: number
}

export type Samples = { [Name in EndpointName]: readonly [Sample<Named<Name>>, ...Sample<Named<Name>>[]] }

/** What the tree holds on which the samples act. */
export const SAMPLE_FILES: Record<string, string> = {
  '/a.txt': 'the text of a',
  '/b.txt': 'the text of b',
  '/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
  '/dot.gif': 'GIF89a',
  '/folder/deep/c.txt': 'the text of c',
  '/packed.tar': Buffer.from(tarOf([{ name: 'inner.txt', text: 'packed' }])).toString('latin1'),
  '/words.docx': Buffer.from(zipOf([{ name: 'word/document.xml', text: '<w:p>words</w:p>' }])).toString('latin1'),
}

const A = { path: at('/a.txt') }
const NEW = { path: at('/new.bin') }
const announced = (client: Client<Tree>) => client.tus.create({ params: NEW, headers: { 'upload-length': '4' } })
const copy = (more: { destination?: string; override?: string; rename?: string } = {}) => ({
  params: A,
  query: { action: 'copy' as const, destination: '/copy.txt', ...more },
})

const NO_MAIL = { host: '', port: 587, security: 'starttls' as const, username: '', from: '', site: '', reset: true }
/** Another for each, because guesses are counted. */
const noSecret = (id: string) => id.padStart(43, 'x')

const WEBHOOK = { url: 'https://hooks.invalid/', events: ['after_upload' as const], enabled: true }

const link = async (client: Client<Tree>, path: string) => (await client.shares.create({ params: { path: at(path) }, body: '' })).hash

const withRoot = async (client: Client<Tree>) =>
  (await client.peopleShares.create({ params: A, body: { who: { kind: 'user', id: 1 }, role: 'viewer' } })).id
const PROVIDER = { name: 'Nobody', issuer: 'https://127.0.0.1:9/', clientId: 'satchel' }
const DIRECTORY = { name: 'Nobody', urls: ['ldaps://127.0.0.1:9'], baseDn: 'dc=example,dc=org' }
const directory = async (client: Client<Tree>) => (await client.directories.create({ body: { ...DIRECTORY, id: newProviderId() } })).id
const newProviderId = (): string => `p-${crypto.randomUUID().slice(0, 8)}`
const provider = async (client: Client<Tree>) => (await client.providers.create({ body: { ...PROVIDER, id: newProviderId() } })).id

const UPLOAD = 'an-upload-that-nobody-knows'

/** A folder of its own with a file in it, behind a link through which visitors may change it. */
const editable = async (client: Client<Tree>) => {
  const folder = at(`/edited-${crypto.randomUUID()}`)
  await client.resources.upload({ params: { path: joinPath(folder, 'x.txt') }, body: 'x' })
  return (await client.shares.create({ params: { path: folder }, body: '{"rights":"edit"}' })).hash
}
const sending = (found = 'none') => ({ params: { hash: found, upload: UPLOAD, path: at('/new.bin') } })
const begun = async (client: Client<Tree>) => {
  const hash = await editable(client)
  await client.sent.create({ ...sending(hash), headers: { 'upload-length': '4' } })
  return hash
}

/** An account of any name. */
const person = async (client: Client<Tree>) => {
  const data = { username: crypto.randomUUID(), password: PASSWORD, scope: '/new' }
  const made = await client.users.create({ body: { what: 'user', data } })
  return made.headers.get('location')?.split('/').at(-1)
}

/** A group of any name. */
const group = async (client: Client<Tree>) => String((await client.groups.create({ body: { name: crypto.randomUUID() } })).id)

/** A version of `a.txt`. */
const replaced = async (client: Client<Tree>) => {
  await client.resources.save({ params: A, body: 'changed' })
  return (await client.versions.list({ params: A })).versions[0]?.id
}

/** What nobody signed. */
const PASSKEY = {
  id: '',
  rawId: '',
  type: 'public-key' as const,
  response: { clientDataJSON: '', authenticatorData: '', signature: '' },
}

/** Every call with arguments that succeed for whoever may. A call that is not here does not compile. */
export const samples: Samples = {
  'snapshots.raw': [
    { says: 'of a snapshot that is gone', args: () => ({ params: A, query: { id: '1:none', raw: '1' } }), letIn: 404 },
    { says: 'a folder', args: () => ({ params: { path: at('/folder') }, query: { id: '1:none', raw: '1', algo: 'zip' } }), letIn: 404 },
  ],
  'snapshots.entries': [
    { says: 'of a snapshot that is gone', args: () => ({ params: { path: at('/folder') }, query: { id: '1:none' } }), letIn: 404 },
  ],
  'snapshots.list': [{ says: 'of a folder', args: () => ({ params: { path: at('/folder') } }) }],
  'snapshots.restore': [
    {
      says: 'of a snapshot that is gone',
      args: () => ({ body: { id: '1:none', items: [{ from: '/a.txt', to: '/back.txt' }] } }),
      also: ['download'],
      letIn: 404,
    },
    {
      says: 'over what is there',
      args: () => ({ body: { id: '1:none', items: [{ from: '/a.txt', to: '/b.txt', replace: true }] } }),
      also: ['download', 'modify'],
      letIn: 404,
    },
  ],
  'session.login': [{ says: 'with the right password', args: () => ({ body: { username: 'ann', password: PASSWORD } }) }],
  'session.second': [{ says: 'with a ticket that nobody has', args: () => ({ body: { ticket: 'none', code: '000000' } }), letIn: 401 }],
  'session.secondChallenge': [{ says: 'as a program, which has no passkeys', args: () => ({ body: { ticket: 'none' } }), letIn: 400 }],
  'session.passkeyChallenge': [{ says: 'as a program, which has no passkeys', args: () => ({}), letIn: 400 }],
  'session.passkey': [{ says: 'with a ticket that nobody has', args: () => ({ body: { ticket: 'none', passkey: PASSKEY } }), letIn: 403 }],
  'factors.list': [{ says: 'as it is', args: () => ({}) }],
  'factors.startTotp': [{ says: 'as it is', args: () => ({}) }],
  'factors.confirmTotp': [{ says: 'with a wrong code', args: () => ({ body: { code: '000000' } }), letIn: 403 }],
  'factors.removeTotp': [{ says: 'where there is none', args: () => ({}), letIn: 404 }],
  'factors.renewCodes': [{ says: 'without a second factor', args: () => ({}), letIn: 404 }],
  'factors.challenge': [{ says: 'as a program, which has no passkeys', args: () => ({}), letIn: 400 }],
  'factors.addPasskey': [
    {
      says: 'with a ticket that nobody has',
      args: () => ({
        body: { ticket: 'none', name: 'x', passkey: { ...PASSKEY, response: { clientDataJSON: '', attestationObject: '' } } },
      }),
      letIn: 403,
    },
  ],
  'factors.renamePasskey': [{ says: 'that is not there', args: () => ({ params: { id: 'none' }, body: { name: 'x' } }), letIn: 404 }],
  'factors.removePasskey': [{ says: 'that is not there', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'factors.forgetDevice': [{ says: 'that is not there', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'factors.proofChallenge': [{ says: 'as a program, which has no passkeys', args: () => ({}), letIn: 400 }],
  'factors.prove': [{ says: 'with the password', args: () => ({ body: { password: PASSWORD } }) }],
  'factors.removeAll': [{ says: 'of the second person', args: () => ({ params: { id: '2' } }) }],
  'session.signup': [
    {
      says: 'of a new person',
      args: (id) => ({ body: { username: `visitor ${id}`, password: PASSWORD } }),
      given: { signup: true },
    },
  ],
  'session.renew': [{ says: 'as it is', args: () => ({}) }],
  'session.logout': [{ says: 'as it is', args: () => ({}) }],
  'session.everywhere': [{ says: 'as it is', args: () => ({}) }],
  'session.list': [{ says: 'as it is', args: () => ({}) }],
  'session.end': [
    {
      says: 'the device that asks',
      args: (_, found) => ({ params: { id: found ?? 'none' } }),
      before: async (client) => (await client.session.list({})).find(({ current }) => current)?.id,
    },
  ],
  'tokens.list': [{ says: 'the caller’s own', args: () => ({}) }],
  'tokens.create': [
    { says: 'for reading', args: () => ({ body: { name: 'reader', perm: {} } }) },
    { says: 'for uploading', args: () => ({ body: { name: 'sender', perm: { create: true } } }), also: ['create'] },
  ],
  'tokens.remove': [
    {
      says: 'the caller’s own',
      args: (_, found) => ({ params: { id: found ?? 'none' } }),
      before: async (client) => (await client.tokens.create({ body: { name: 'short-lived', perm: {} } })).id,
    },
  ],
  'people.ids': [{ says: 'part of a name', args: () => ({ query: { text: 'a' } }) }],
  'people.list': [{ says: 'part of a name', args: () => ({ query: { text: 'a' } }) }],
  'people.change': [
    {
      says: 'somebody disabled',
      args: (_, found) => ({ body: { ids: [Number(found ?? '1')], change: { action: 'disable' as const } } }),
      before: person,
    },
  ],
  'people.import': [{ says: 'a new one', args: (id) => ({ body: { people: [{ username: `imported ${id}` }], preview: false } }) }],
  'handOver.preview': [{ says: 'of somebody', args: (_, found) => ({ params: { id: found ?? '1' }, query: {} }), before: person }],
  'handOver.start': [
    {
      says: 'to the administrator',
      args: (_, found) => ({
        params: { id: found ?? '1' },
        body: { to: 1, files: 'stay' as const, shares: 'pass' as const, rest: 'keep' as const, account: 'disable' as const },
      }),
      before: person,
    },
  ],
  'handOver.state': [{ says: 'of somebody', args: (_, found) => ({ params: { id: found ?? '1' } }), before: person }],
  'groups.list': [{ says: 'as it is', args: () => ({}) }],
  'groups.create': [{ says: 'a new one', args: (id) => ({ body: { name: `team ${id}`, perm: NO_RIGHTS } }) }],
  'groups.change': [
    { says: 'its name', args: (id, found) => ({ params: { id: found ?? '1' }, body: { name: `others ${id}` } }), before: group },
  ],
  'groups.remove': [{ says: 'a group', args: (_, found) => ({ params: { id: found ?? '1' }, body: {} }), before: group }],
  'groups.members': [{ says: 'of a group', args: (_, found) => ({ params: { id: found ?? '1' }, query: { text: 'a' } }), before: group }],
  'groups.addMember': [{ says: 'oneself', args: (id, found) => ({ params: { id: found ?? '1', user: id }, body: {} }), before: group }],
  'groups.removeMember': [{ says: 'oneself', args: (id, found) => ({ params: { id: found ?? '1', user: id }, body: {} }), before: group }],
  'groups.ofUser': [{ says: 'oneself', args: (id) => ({ params: { id } }) }],
  'quotas.list': [{ says: 'as they are', args: () => ({}) }],
  'roots.list': [{ says: 'as they are', args: () => ({}) }],
  'quotas.set': [
    { says: 'one’s own', args: (id) => ({ body: { who: { kind: 'user' as const, id: Number(id) }, bytes: 10 ** 12, files: null } }) },
  ],
  'quotas.count': [
    {
      says: 'everybody’s',
      args: () => ({ body: { who: { kind: 'everybody' as const, id: 0 } } }),
      before: async (client) => {
        await client.quotas.set({ body: { who: { kind: 'everybody', id: 0 }, bytes: 10 ** 15, files: null } })
        return ''
      },
    },
  ],
  'quotas.mine': [{ says: 'as they are', args: () => ({}) }],
  'grants.list': [{ says: 'everybody’s', args: () => ({ query: { kind: 'everybody' as const } }) }],
  'grants.set': [
    {
      says: 'oneself a manager of everything',
      args: (id) => ({ body: { who: { kind: 'user' as const, id: Number(id) }, path: '/', rights: [...ROLES.manager] } }),
    },
  ],
  'explain.reach': [{ says: 'a folder', args: () => ({ params: { path: at('/folder') } }) }],
  'explain.effect': [
    { says: 'of a role', args: () => ({ params: { path: at('/folder') }, query: { kind: 'everybody' as const, rights: 'download' } }) },
  ],
  'explain.change': [{ says: 'of everybody’s rules', args: () => ({ body: { change: { what: 'everybody' as const, rules: [] } } }) }],
  'access.get': [{ says: 'to a folder', args: () => ({ params: { path: at('/folder') } }) }],
  'access.set': [
    {
      says: 'oneself a manager of a folder',
      args: (id) => ({
        params: { path: at('/folder') },
        body: { who: { kind: 'user' as const, id: Number(id) }, rights: [...ROLES.manager] },
      }),
    },
  ],
  'audit.list': [{ says: 'as it is', args: () => ({}) }],
  'audit.export': [{ says: 'for a table', args: () => ({ query: { format: 'csv' } }) }],
  'settings.get': [{ says: 'as it is', args: () => ({}) }],
  'settings.update': [{ says: 'what everybody starts with', args: () => ({ body: { defaults: { perm: NO_RIGHTS } } }) }],
  'users.list': [{ says: 'as it is', args: () => ({}) }],
  'users.create': [
    { says: 'a person', args: (id) => ({ body: { what: 'user', data: { username: `new ${id}`, password: PASSWORD, scope: '/new' } } }) },
  ],
  'users.remove': [{ says: 'another person', args: (_, found) => ({ params: { id: found ?? '2' }, body: '' }), before: person }],
  'users.get': [{ says: 'oneself', args: (id) => ({ params: { id } }) }],
  'users.update': [
    { says: 'one’s own language', args: (id) => ({ params: { id }, body: { what: 'user', which: ['locale'], data: { locale: 'de' } } }) },
  ],
  'users.welcomed': [{ says: 'a step', args: () => ({ body: { done: ['language' as const] } }) }],
  'resources.recursive': [{ says: 'a folder', args: () => ({ params: { path: at('/folder') } }) }],
  'resources.rows': [{ says: 'the root', args: () => ({ params: { path: ROOT } }) }],
  'resources.rowsInParts': [{ says: 'the root', args: () => ({ params: { path: ROOT } }) }],
  'resources.get': [
    { says: 'the root', args: () => ({ params: { path: ROOT } }) },
    { says: 'a file', args: () => ({ params: A }) },
    { says: 'a checksum', args: () => ({ params: A, query: { checksum: 'md5' } }), also: ['download'] },
    { says: 'a text as bytes', args: () => ({ params: A, headers: { 'x-encoding': 'true' } }), also: ['download'] },
  ],
  'resources.upload': [
    { says: 'a new file', args: () => ({ params: NEW, body: 'new' }) },
    { says: 'over an old file', args: () => ({ params: A, query: { override: 'true' }, body: 'new' }), also: ['modify'] },
    { says: 'a new folder', args: () => ({ params: { path: at('/made'), slash: true }, body: '' }) },
  ],
  'resources.save': [{ says: 'a file', args: () => ({ params: A, body: 'changed' }) }],
  'resources.remove': [
    { says: 'a file', args: () => ({ params: A }) },
    { says: 'a folder', args: () => ({ params: { path: at('/folder') } }) },
  ],
  'resources.transfer': [
    { says: 'a copy', args: () => copy(), also: ['create'] },
    { says: 'a copy over another', args: () => copy({ destination: '/b.txt', override: 'true' }), also: ['create', 'modify'] },
    {
      says: 'a copy under another name',
      args: () => copy({ destination: '/b.txt', rename: 'true' }),
      also: ['create'],
    },
    { says: 'a move', args: () => ({ params: A, query: { action: 'rename', destination: '/moved.txt' } }), also: ['rename'] },
    {
      says: 'a move over another',
      args: () => ({ params: A, query: { action: 'rename', destination: '/b.txt', override: 'true' } }),
      also: ['rename', 'modify'],
    },
  ],
  'resources.usage': [{ says: 'of the root', args: () => ({ params: { path: ROOT } }) }],
  'resources.subtitle': [{ says: 'of a film', args: () => ({ params: { path: at('/film.srt') } }) }],
  'raw.get': [
    { says: 'a file', args: () => ({ params: A }) },
    { says: 'a file to be shown', args: () => ({ params: A, query: { inline: 'true' } }) },
    { says: 'a folder as an archive', args: () => ({ params: { path: at('/folder') }, query: { algo: 'tar.gz' } }) },
    { says: 'several files', args: () => ({ params: { path: ROOT }, query: { files: ['a.txt', 'folder'] } }) },
  ],
  'search.documentText': [{ says: 'of a document', args: () => ({ params: { path: at('/words.docx') } }) }],
  'unpack.list': [{ says: 'of an archive', args: () => ({ params: { path: at('/packed.tar') } }) }],
  'unpack.entry': [
    { says: 'a file of an archive', args: () => ({ params: { path: at('/packed.tar') }, query: { index: 0, inside: 'inner.txt' } }) },
  ],
  'jobs.start': [
    {
      says: 'to unpack an archive',
      args: () => ({ body: { kind: 'extract', path: '/packed.tar', destination: '/' } }),
      also: ['create', 'download'],
    },
    {
      says: 'to unpack over what is there',
      args: () => ({ body: { kind: 'extract', path: '/packed.tar', destination: '/', taken: 'replace' } }),
      also: ['create', 'download', 'modify'],
    },
    {
      says: 'to pack an archive',
      args: () => ({ body: { kind: 'pack', paths: ['/folder'], destination: '/new.zip', format: 'zip' } }),
      also: ['create', 'download'],
    },
    { says: 'to copy', args: () => ({ body: { kind: 'copy', items: [{ from: '/folder', to: '/copy' }] } }), also: ['create'] },
    {
      says: 'to copy over another',
      args: () => ({ body: { kind: 'copy', items: [{ from: '/a.txt', to: '/b.txt', replace: true }] } }),
      also: ['create', 'modify'],
    },
    { says: 'to move', args: () => ({ body: { kind: 'move', items: [{ from: '/folder', to: '/moved' }] } }), also: ['rename'] },
    {
      says: 'to move over another',
      args: () => ({ body: { kind: 'move', items: [{ from: '/a.txt', to: '/b.txt', replace: true }] } }),
      also: ['rename', 'modify'],
    },
  ],
  'jobs.list': [{ says: 'as it is', args: () => ({}) }],
  'jobs.remove': [{ says: 'one that is none', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'shares.mine': [{ says: 'as it is', args: () => ({}) }],
  'shares.ofPath': [{ says: 'of a file', args: () => ({ params: A }) }],
  'shares.create': [
    { says: 'for ever', args: () => ({ params: A, body: '' }) },
    { says: 'for an hour, with a password', args: () => ({ params: A, body: '{"expires":"1","unit":"hours","password":"pass"}' }) },
  ],
  'shares.change': [
    {
      says: 'its title',
      args: (_, found) => ({ params: { hash: found ?? 'none' }, body: { title: 'For you' } }),
      before: async (client) => link(client, '/a.txt'),
    },
  ],
  'shares.visits': [
    { says: 'of one’s own', args: (_, found) => ({ params: { hash: found ?? 'none' } }), before: async (client) => link(client, '/a.txt') },
  ],
  'shares.remove': [
    { says: 'one’s own', args: (_, found) => ({ params: { hash: found ?? 'none' } }), before: async (client) => link(client, '/a.txt') },
  ],
  'peopleShares.mine': [{ says: 'as it is', args: () => ({}) }],
  'peopleShares.ofPath': [{ says: 'of a file', args: () => ({ params: A }) }],
  'peopleShares.create': [{ says: 'with a person', args: () => ({ params: A, body: { who: { kind: 'user', id: 1 }, role: 'viewer' } }) }],
  'peopleShares.change': [
    {
      says: 'its message',
      args: (_, found) => ({ params: { id: found ?? 'none' }, body: { message: 'For you' } }),
      before: async (client) => withRoot(client),
    },
  ],
  'peopleShares.remove': [{ says: 'one that is none', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'peopleShares.received': [{ says: 'as it is', args: () => ({}) }],
  'peopleShares.find': [{ says: 'by the beginning of the name', args: () => ({ query: { text: 'ro' } }) }],
  'viewings.begin': [{ says: 'as nobody', args: () => ({ body: { user: 99_999 } }), letIn: 404 }],
  'viewings.get': [{ says: 'one that is none', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'viewings.end': [{ says: 'one that is none', args: () => ({ params: { id: 'none' } }) }],
  'viewings.ofMe': [{ says: 'as it is', args: () => ({}) }],
  'shared.rowsInParts': [
    {
      says: 'a folder',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: ROOT } }),
      before: async (client) => link(client, '/folder'),
    },
  ],
  'shared.rows': [
    {
      says: 'a folder',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: ROOT } }),
      before: async (client) => link(client, '/folder'),
    },
  ],
  'shared.open': [
    {
      says: 'a folder',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: ROOT } }),
      before: async (client) => link(client, '/folder'),
    },
  ],
  'shared.download': [
    {
      says: 'a file',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: at('/any-name.txt') } }),
      before: async (client) => link(client, '/a.txt'),
    },
  ],
  'shared.preview': [
    {
      says: 'a thumbnail',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: at('/dot.gif'), size: 'thumb' } }),
      before: async (client) => link(client, '/'),
    },
  ],
  'shared.subtitle': [
    {
      says: 'of a film',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: at('/film.srt') } }),
      before: async (client) => link(client, '/'),
    },
  ],
  'shared.rename': [
    {
      says: 'a file',
      args: (_, found) => ({ params: { hash: found ?? 'none', path: at('/x.txt') }, body: { name: 'y.txt' } }),
      before: editable,
    },
  ],
  'shared.remove': [{ says: 'a file', args: (_, found) => ({ params: { hash: found ?? 'none', path: at('/x.txt') } }), before: editable }],
  'sent.options': [{ says: 'as it is', args: () => sending() }],
  'sent.create': [{ says: 'a new file', args: (_, found) => ({ ...sending(found), headers: { 'upload-length': '4' } }), before: editable }],
  'sent.offset': [{ says: 'of an upload', args: (_, found) => sending(found), before: begun }],
  'sent.append': [
    {
      says: 'the last bytes',
      args: (_, found) => ({ ...sending(found), headers: { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }, body: 'four' }),
      before: begun,
    },
  ],
  'sent.cancel': [{ says: 'an upload', args: (_, found) => sending(found), before: begun }],
  'command.state': [{ says: 'as it is', args: () => ({}) }],
  'command.socket': [{ says: 'in the root, without an upgrade', args: () => ({ params: { path: ROOT } }), letIn: 426 }],
  'terminal.socket': [{ says: 'in the root, without an upgrade', args: () => ({ params: { path: ROOT } }), letIn: 426 }],
  'mail.get': [{ says: 'as it is', args: () => ({}) }],
  'mail.update': [{ says: 'no server', args: () => ({ body: NO_MAIL }) }],
  'mail.test': [{ says: 'without a server', args: () => ({ body: { to: 'ann@example.org' } }) }],
  'mail.address': [{ says: 'of oneself', args: (id) => ({ params: { id } }) }],
  'mail.setAddress': [{ says: 'none', args: (id) => ({ params: { id }, body: { address: '' } }) }],
  'mail.notices': [{ says: 'as they are', args: () => ({}) }],
  'mail.setNotices': [{ says: 'none of one kind', args: () => ({ body: { device: false } }) }],
  'passwordLinks.create': [{ says: 'for the second person', args: () => ({ params: { id: '2' }, body: { mail: false } }) }],
  'passwordLinks.ask': [{ says: 'where no mail is sent', args: (id) => ({ body: { username: `nobody ${id}` } }) }],
  'passwordLinks.read': [{ says: 'of none', args: (id) => ({ body: { secret: noSecret(id) } }), letIn: 404 }],
  'passwordLinks.use': [{ says: 'of none', args: (id) => ({ body: { secret: noSecret(id) } }), letIn: 404 }],
  'oidc.start': [{ says: 'through one that is not there', args: () => ({ params: { id: 'none' } }), letIn: 302 }],
  'oidc.callback': [{ says: 'of nothing that was begun', args: () => ({ params: { id: 'none' } }), letIn: 302 }],
  'oidc.finish': [{ says: 'nothing that was begun', args: () => ({}), letIn: 403 }],
  'oidc.connect': [{ says: 'with one that is not there', args: () => ({ params: { id: 'none' }, body: {} }), letIn: 404 }],
  'oidc.connected': [{ says: 'nothing that was begun', args: () => ({}) }],
  'oidc.connections': [{ says: 'as it is', args: () => ({}) }],
  'oidc.disconnect': [{ says: 'from one that is not there', args: () => ({ params: { id: 'none' }, body: {} }), letIn: 404 }],
  'oidc.leave': [{ says: 'as it is', args: () => ({}) }],
  'oidc.backchannel': [{ says: 'of one that is not there', args: () => ({ params: { id: 'none' }, body: 'logout_token=x' }), letIn: 404 }],
  'oidc.once': [{ says: 'by a secret that nobody made', args: () => ({ body: { secret: 'x' } }), letIn: 403 }],
  'providers.list': [{ says: 'as it is', args: () => ({}) }],
  'providers.create': [{ says: 'a new one', args: () => ({ body: { ...PROVIDER, id: newProviderId() } }) }],
  'providers.update': [
    {
      says: 'another name',
      args: (_, found) => ({ params: { id: found ?? 'none' }, body: { ...PROVIDER, name: 'Other' } }),
      before: provider,
    },
  ],
  'providers.remove': [{ says: 'the only one', args: (_, found) => ({ params: { id: found ?? 'none' }, body: {} }), before: provider }],
  'providers.order': [{ says: 'of one', args: (_, found) => ({ body: { ids: [found ?? 'none'] } }), before: provider }],
  'providers.only': [{ says: 'off', args: () => ({ body: { only: false } }) }],
  'providers.try': [{ says: 'where nobody listens', args: (_, found) => ({ params: { id: found ?? 'none' } }), before: provider }],
  'providers.tried': [{ says: 'nothing that was begun', args: () => ({}) }],
  'providers.links': [{ says: 'as it is', args: () => ({}) }],
  'providers.link': [
    {
      says: 'of nobody',
      args: (_, found) => ({ body: { provider: found ?? 'none', subject: 'x', username: 'not there' } }),
      before: provider,
      letIn: 404,
    },
  ],
  'directories.list': [{ says: 'as they are', args: () => ({}) }],
  'directories.create': [{ says: 'a new one', args: () => ({ body: { ...DIRECTORY, id: newProviderId() } }) }],
  'directories.update': [
    {
      says: 'its name',
      args: (_, found) => ({ params: { id: found ?? 'none' }, body: { ...DIRECTORY, name: 'Other' } }),
      before: directory,
    },
  ],
  'directories.remove': [{ says: 'the only one', args: (_, found) => ({ params: { id: found ?? 'none' }, body: {} }), before: directory }],
  'directories.try': [
    { says: 'where nobody listens', args: (_, found) => ({ params: { id: found ?? 'none' }, body: {} }), before: directory },
  ],
  'directories.check': [{ says: 'where nobody listens', args: (_, found) => ({ params: { id: found ?? 'none' } }), before: directory }],
  'directory.connect': [
    {
      says: 'with one that is not there',
      args: () => ({ params: { id: 'none' }, body: { username: 'ann', password: 'x' } }),
      letIn: 404,
    },
  ],
  'providers.unlink': [{ says: 'of nobody', args: () => ({ body: { issuer: 'x', subject: 'x' } }), letIn: 404 }],
  'webhooks.list': [{ says: 'as it is', args: () => ({}) }],
  'webhooks.create': [{ says: 'a new one', args: () => ({ body: WEBHOOK }) }],
  'webhooks.update': [
    {
      says: 'another event',
      args: (_, found) => ({ params: { id: found ?? 'none' }, body: { ...WEBHOOK, events: ['after_save'] } }),
      before: async (client) => (await client.webhooks.create({ body: WEBHOOK })).hook.id,
    },
  ],
  'webhooks.remove': [
    {
      says: 'the only one',
      args: (_, found) => ({ params: { id: found ?? 'none' } }),
      before: async (client) => (await client.webhooks.create({ body: WEBHOOK })).hook.id,
    },
  ],
  'webhooks.test': [
    {
      says: 'where nobody listens',
      args: (_, found) => ({ params: { id: found ?? 'none' } }),
      before: async (client) => (await client.webhooks.create({ body: WEBHOOK })).hook.id,
    },
  ],
  'live.folder': [{ says: 'of a folder', args: () => ({ params: { path: at('/folder'), slash: true } }) }],
  'search.lines': [{ says: 'everything', args: () => ({ params: { path: ROOT }, query: {} }) }],
  'sizes.folder': [{ says: 'with its children', args: () => ({ params: { path: ROOT }, query: { children: 'true' } }) }],
  'sizes.largest': [{ says: 'below the root', args: () => ({ params: { path: ROOT } }) }],
  'sizes.duplicates': [{ says: 'below the root', args: () => ({ params: { path: ROOT } }) }],
  'appSignIns.read': [{ says: 'of nobody', args: () => ({ params: { id: 'nobody' } }), letIn: 404 }],
  'appSignIns.allow': [{ says: 'of nobody', args: () => ({ params: { id: 'nobody' }, body: { current_password: PASSWORD } }), letIn: 404 }],
  'appSignIns.refuse': [{ says: 'of nobody', args: () => ({ params: { id: 'nobody' } }) }],
  'locks.list': [{ says: 'of a file', args: () => ({ params: A }) }],
  'locks.remove': [{ says: 'of a file', args: () => ({ params: A }) }],
  'favourites.mine': [{ says: 'as it is', args: () => ({}) }],
  'favourites.arrange': [{ says: 'one of them', args: () => ({ body: { paths: ['/a.txt'] } }) }],
  'favourites.star': [{ says: 'a file', args: () => ({ params: A }) }],
  'favourites.unstar': [{ says: 'a file', args: () => ({ params: A }) }],
  'favourites.recent': [{ says: 'as it is', args: () => ({}) }],
  'favourites.visit': [{ says: 'of a file', args: () => ({ body: { files: [{ path: '/a.txt', how: 'opened' }] } }) }],
  'favourites.keep': [{ says: 'no more', args: () => ({ body: { keep: false } }) }],
  'favourites.leave': [{ says: 'a file', args: () => ({ params: A }) }],
  'versions.list': [{ says: 'of a file', args: () => ({ params: A }) }],
  'versions.content': [
    { says: 'one that is none', args: () => ({ params: A, query: { id: 'none' } }), letIn: 404 },
    { says: 'a version', args: (_, found) => ({ params: A, query: { id: found ?? 'none' } }), before: replaced, letIn: 404 },
  ],
  'versions.restore': [
    { says: 'one that is none', args: () => ({ params: A, query: { id: 'none' } }), letIn: 404 },
    { says: 'a version', args: (_, found) => ({ params: A, query: { id: found ?? 'none' } }), before: replaced },
  ],
  'versions.remove': [
    { says: 'one that is none', args: () => ({ params: A, query: { id: 'none' } }), letIn: 404 },
    { says: 'a version', args: (_, found) => ({ params: A, query: { id: found ?? 'none' } }), before: replaced },
  ],
  'favourites.forget': [{ says: 'everything', args: () => ({}) }],
  'trash.list': [
    { says: 'one’s own', args: () => ({ query: {} }) },
    { says: 'of a folder', args: () => ({ query: { path: '/folder' } }) },
    { says: 'everybody’s', args: () => ({ query: { all: 'true' } }), also: ['admin'] },
  ],
  'trash.policy': [{ says: 'of a file', args: () => ({ query: { path: '/a.txt' } }) }],
  'trash.restore': [{ says: 'one that is none', args: () => ({ params: { id: 'none' }, body: {} }), letIn: 404 }],
  'trash.remove': [{ says: 'one that is none', args: () => ({ params: { id: 'none' } }), letIn: 404 }],
  'trash.empty': [
    { says: 'one’s own', args: () => ({ query: {} }) },
    { says: 'everybody’s', args: () => ({ query: { all: 'true' } }), also: ['admin'] },
  ],
  'operations.list': [
    { says: 'of a file', args: () => ({ query: { path: '/a.txt' } }) },
    { says: 'below the root', args: () => ({ query: { path: '/', below: 'true' } }) },
  ],
  'rewind.preview': [{ says: 'of a folder', args: () => ({ query: { path: '/folder', to: '2026-01-01T00:00Z' } }) }],
  'rewind.apply': [{ says: 'of a folder', args: () => ({ body: { path: '/folder', to: '2126-01-01T00:00Z' } }) }],
  'operations.latest': [{ says: 'as it is', args: () => ({}) }],
  'operations.redo': [{ says: 'a gesture that is none', args: () => ({ params: { group: crypto.randomUUID() } }), letIn: 404 }],
  'operations.undo': [{ says: 'a gesture that is none', args: () => ({ params: { group: crypto.randomUUID() } }), letIn: 404 }],
  'search.run': [{ says: 'a word', args: () => ({ params: { path: ROOT }, query: { query: 'a' } }) }],
  'previews.get': [
    { says: 'a thumbnail', args: () => ({ params: { path: at('/dot.gif'), size: 'thumb' } }) },
    { says: 'a large picture', args: () => ({ params: { path: at('/dot.gif'), size: 'big' } }) },
  ],
  'photos.list': [
    { says: 'below the root', args: () => ({ params: { path: ROOT }, query: { recursive: 'true', places: 'true' } }) },
    { says: 'in a folder', args: () => ({ params: { path: at('/folder') }, query: {} }) },
  ],
  'photos.facts': [{ says: 'of a picture', args: () => ({ params: { path: at('/dot.gif') } }) }],
  'bulk.upload': [{ says: 'of a new file', args: () => ({ body: `${bulkHead([{ path: '/new.bin', size: 3 }])}new` }) }],
  'tus.options': [{ says: 'as it is', args: () => ({ params: A }) }],
  'tus.create': [
    { says: 'a new file', args: () => ({ params: NEW, headers: { 'upload-length': '4' } }) },
    {
      says: 'over an old file',
      args: () => ({ params: A, query: { override: 'true' }, headers: { 'upload-length': '4' } }),
      also: ['modify'],
    },
  ],
  'tus.offset': [{ says: 'of an upload', args: () => ({ params: NEW }), before: announced }],
  'tus.append': [
    {
      says: 'the last bytes',
      args: () => ({ params: NEW, headers: { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }, body: 'four' }),
      before: announced,
    },
  ],
  'tus.unfinished': [{ says: 'as it is', args: () => ({}), before: announced }],
  'tus.cancel': [{ says: 'an upload', args: () => ({ params: NEW }), before: announced }],
}

/** A sample's arguments, whatever the call. */
export interface LooseArgs {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string | undefined>
  body?: unknown
}

/** The request that the client would send. */
export function requestOf(call: Endpoint, { params = {}, query, headers = {}, body }: LooseArgs): { address: string; init: RequestInit } {
  const address = href(call, { params, query: query as QueryInput<Endpoint> })
  const sent = new Headers({ accept: call.accept === undefined ? 'application/json' : `${call.accept}, application/json` })
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
  const text = call.body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return { address, init: { method: call.method, headers: sent, body: text as string | undefined } }
}
