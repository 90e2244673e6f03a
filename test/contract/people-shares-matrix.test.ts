import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Endpoint, endpointsOf, type Right } from '../../src/shared/contract/endpoint.ts'
import { shareUseOf } from '../../src/shared/contract/in-share.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import { SHARE_ROLES, type ShareRole } from '../../src/shared/contract/people-shares.ts'
import { createClient } from '../../src/shared/contract/client.ts'
import { ROLES } from '../../src/shared/contract/rights.ts'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { joinPath, parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { type EndpointName, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { deny, EVERYTHING, type Product, startProduct, withToken } from './world.ts'

// Some calls start a program; a busy machine takes its time.
setDefaultTimeout(120_000)

/** In the bytes and names of what is not shared. */
const SECRET = 'secret-of-nobody-else'

type End = 'open' | 'expired' | 'taken-back' | 'owner-may-not-share' | 'owner-may-not-see' | 'owner-disabled' | 'no-member'

interface Recipient {
  readonly role: ShareRole
  readonly by: 'user' | 'group'
  readonly end: End
}

/** Every role by person and by group while the share is open, and every end of it. */
const RECIPIENTS: readonly Recipient[] = [
  ...SHARE_ROLES.flatMap((role) => (['user', 'group'] as const).map((by) => ({ role, by, end: 'open' as const }))),
  ...(['expired', 'taken-back', 'owner-may-not-share', 'owner-may-not-see', 'owner-disabled'] as const).map((end): Recipient => ({
    role: 'editor',
    by: 'user',
    end,
  })),
  { role: 'editor', by: 'group', end: 'no-member' },
]

/** Everything that is refused or answered within a share; what is about the caller is answered as outside. */
const calls = endpointsOf(api).filter(({ call }) => call.by !== 'anyone' && shareUseOf(call) !== 'own')

describe('a recipient of a share may do what its role says, as long as it is open', () => {
  for (const recipient of RECIPIENTS)
    it(`${recipient.role} by ${recipient.by}, ${recipient.end}`, async () => {
      await using product = await startProduct({ storage: 'memory' })
      const prepared = await prepare(product, recipient)
      const answers: Record<string, unknown> = {}
      const expected: Record<string, unknown> = {}
      for (const { name, call } of calls)
        // The table has a row for each name of the tree: its type says so.
        for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[]) {
          answers[`${name}, ${sample.says}`] = await outcome(product, prepared, { call, sample })
          expected[`${name}, ${sample.says}`] = admission(call, recipient, sample.also ?? [])
        }
      expect(answers).toEqual(expected)
    })
})

function admission(call: Endpoint, { role, end }: Recipient, also: readonly Right[]): unknown {
  const refused = (status: number) => ({ status, changed: false, leaks: false })
  // Neither a call about something else nor one of administrators.
  if (shareUseOf(call) === 'no') return refused(403)
  if (end !== 'open') return refused(404)
  const may: Permissions = { ...NO_RIGHTS, ...Object.fromEntries(ROLES[role].map((right) => [right, true])) }
  // What a file contained before is for editors.
  const isPast = call === api.versions.list || call === api.versions.content
  const missing = [...call.needs, ...also, ...(isPast ? (['modify'] as const) : [])].find((right) => !may[right])
  if (missing === undefined) return { status: 'done', leaks: false }
  // 202 is for those that the predecessor’s clients know; as the answer to a POST it would be a yes.
  return refused(missing === 'download' && call.method === 'GET' ? 202 : 403)
}

interface Prepared {
  readonly id: string
  readonly share: string
  readonly token: string
  readonly files: Record<string, string>
  readonly isOpen: boolean
}

async function outcome(
  product: Product,
  { id, share, token, files, isOpen }: Prepared,
  { call, sample }: { call: Endpoint; sample: Sample<Endpoint> },
): Promise<unknown> {
  await restoreTree(product, files)
  const { given } = sample
  if (given !== undefined) await product.world.settings.change((before) => ({ ...before, ...given }))
  const inside = (address: string) => `/with-me/${share}${address}`
  const client = createClient(api, (address, init) => product.ask(inside(address), withToken(init, token)))
  const found = await sample.before?.(client).catch(() => null)
  await jobsEnded(product)
  const before = await everything(product)
  const { address, init } = requestOf(call, sample.args(id, typeof found === 'string' ? found : undefined))
  const response = await product.ask(inside(address), withToken(init, token))
  const isStream = response.headers.get('content-type') === EVENTS_MEDIA_TYPE
  const body = isStream ? '' : Buffer.from(await response.arrayBuffer()).toString('latin1')
  if (isStream) await response.body?.cancel()
  const leaks = body.includes(SECRET)
  const isLetIn = isOpen && shareUseOf(call) === 'files' && response.status === sample.letIn
  if ((response.ok && response.status !== 202) || isLetIn) return { status: 'done', leaks }
  return { status: response.status, changed: !Bun.deepEquals(before, await everything(product)), leaks }
}

/** The shared folder as it was before what another call did in it. */
async function restoreTree(product: Product, files: Record<string, string>): Promise<void> {
  const shared = at('/owner/shared')
  for (const name of (await product.storage.list(shared)).names)
    if (!Object.keys(files).some((path) => `${path}/`.startsWith(`${shared}/${name}/`)))
      await product.world.systemDrive.remove(joinPath(shared, name))
  await product.seed(files)
}

/** An owner with a tree of their own, and somebody without any right elsewhere with whom a part of it is shared, which may have ended. */
async function prepare(product: Product, { role, by, end: kind }: Recipient): Promise<Prepared> {
  const files = Object.fromEntries(Object.entries(SAMPLE_FILES).map(([path, text]) => [`/owner/shared${path}`, text]))
  await product.seed({ ...files, [`/owner/${SECRET}.txt`]: SECRET, [`/owner/beside/${SECRET}.txt`]: SECRET, '/recipient/mine.txt': SECRET })
  const owner = await product.add('owner', { scope: '/owner' })
  const { id } = await product.add('recipient', { scope: '/recipient', may: NO_RIGHTS })
  const root = product.as('root')
  const who = { kind: by, id }
  if (by === 'group') {
    who.id = (await root.groups.create({ body: { name: 'team' } })).id
    for (const member of [id, owner.id]) await root.groups.addMember({ params: { id: String(who.id), user: String(member) }, body: {} })
  }
  const share = (await product.as('owner').peopleShares.create({ params: { path: at('/shared') }, body: { who, role } })).id
  const token = await product.signIn('recipient')
  await endShare(product, { kind, share, owner: owner.id, recipient: id })
  return { id: String(id), share, token, files, isOpen: kind === 'open' }
}

async function endShare(
  product: Product,
  { kind, share, owner, recipient }: { kind: End; share: string; owner: number; recipient: number },
) {
  const ends: Record<End, () => Promise<unknown>> = {
    open: async () => undefined,
    expired: () => product.db.updateTable('shares').set({ expire: 1 }).where('hash', '=', share).execute(),
    'taken-back': () => product.as('owner').peopleShares.remove({ params: { id: share } }),
    'owner-may-not-share': () => product.setRights('owner', { ...EVERYTHING, share: false }),
    'owner-may-not-see': () => product.setRules('owner', [deny('/shared')]),
    'owner-disabled': () => product.world.users.setDisabled(owner, { disabled: true }),
    'no-member': () => product.db.deleteFrom('memberships').where('user_id', '=', recipient).execute(),
  }
  await ends[kind]()
  // What the server was not told of counts after a second.
  product.pass(1001)
}

/** Jobs started by allowed calls continue after the response. */
async function jobsEnded({ db }: Product): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).executeTakeFirst()
  while ((await open()) !== undefined) await Bun.sleep(5)
}

/** Files, people, shares, uploads: what a refused call must leave as it was. */
async function everything({ snapshot, db }: Product): Promise<unknown> {
  const tables = ['users', 'uploads', 'settings', 'shares', 'groups', 'memberships', 'grants', 'favourites', 'recents', 'jobs'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return { files: await snapshot(), rows }
}
