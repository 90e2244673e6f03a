import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Endpoint, endpointsOf, type Right } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { type FileRight, ROLES } from '../../src/shared/contract/rights.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { NO_RIGHTS, RIGHTS, rightsOf } from '../../src/server/access/permissions.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { EVERYTHING, HOUR_MS, type Product, startProduct, STORAGES, withToken } from './world.ts'

// Some calls start a program; a busy machine takes its time.
setDefaultTimeout(300_000)

/** Open to everybody, and open to everybody who is signed in: written down by hand, so that nothing is open by accident. */
const FOR_ANYONE = [
  'session.login',
  'session.second',
  'session.secondChallenge',
  'session.passkeyChallenge',
  'session.passkey',
  'session.signup',
  'tus.options',
  'shared.rowsInParts',
  'shared.rows',
  'shared.open',
  'shared.download',
  'shared.preview',
  'shared.subtitle',
  'shared.rename',
  'shared.remove',
  'sent.options',
  'sent.create',
  'sent.offset',
  'sent.append',
  'sent.cancel',
  'passwordLinks.ask',
  'passwordLinks.read',
  'passwordLinks.use',
  'oidc.start',
  'oidc.callback',
  'oidc.finish',
  'oidc.backchannel',
  'oidc.once',
]
const FOR_EVERY_USER = [
  'session.renew',
  'session.logout',
  'session.list',
  'session.end',
  'session.everywhere',
  'factors.list',
  'factors.startTotp',
  'factors.confirmTotp',
  'factors.removeTotp',
  'factors.renewCodes',
  'factors.challenge',
  'factors.addPasskey',
  'factors.renamePasskey',
  'factors.removePasskey',
  'factors.forgetDevice',
  'factors.proofChallenge',
  'factors.prove',
  'tokens.list',
  'tokens.create',
  'tokens.remove',
  'appSignIns.read',
  'appSignIns.allow',
  'appSignIns.refuse',
  'users.get',
  'users.update',
  'users.welcomed',
  'quotas.mine',
  'resources.recursive',
  'resources.rows',
  'resources.rowsInParts',
  'resources.get',
  'resources.transfer',
  'resources.usage',
  'search.lines',
  'search.run',
  'locks.list',
  'locks.remove',
  'peopleShares.remove',
  'peopleShares.received',
  'viewings.get',
  'viewings.end',
  'viewings.ofMe',
  'live.folder',
  'jobs.start',
  'jobs.list',
  'jobs.remove',
  'sizes.folder',
  'sizes.largest',
  'favourites.mine',
  'favourites.arrange',
  'favourites.star',
  'favourites.unstar',
  'favourites.recent',
  'favourites.visit',
  'favourites.keep',
  'favourites.leave',
  'favourites.forget',
  'trash.list',
  'trash.policy',
  // Each change that is taken back needs the right of its opposite; without it, it is told as refused.
  'operations.list',
  'operations.latest',
  'operations.undo',
  'operations.redo',
  'rewind.preview',
  'rewind.apply',
  'versions.list',
  'mail.address',
  'mail.setAddress',
  'mail.notices',
  'mail.setNotices',
  'oidc.connect',
  'oidc.connected',
  'oidc.connections',
  'oidc.disconnect',
  'oidc.leave',
  'directory.connect',
]

interface Principal {
  readonly name: string
  /** Null where the server must not know them. */
  readonly may: Permissions | null
  /** Where that is not what the account has: what it has, and by what it comes to the rest. */
  readonly has?: Permissions
  readonly group?: Permissions
  readonly role?: readonly FileRight[]
}

const PRINCIPALS: readonly Principal[] = [
  { name: 'visitor', may: null },
  { name: 'switched-off', may: null },
  { name: 'signed-out', may: null },
  { name: 'without-rights', may: NO_RIGHTS },
  ...RIGHTS.filter((right) => right !== 'admin').map((right) => ({ name: `without-${right}`, may: { ...EVERYTHING, [right]: false } })),
  { name: 'with-every-right', may: EVERYTHING },
  { name: 'administrator', may: { ...NO_RIGHTS, admin: true } },
  { name: 'member', may: EVERYTHING, has: NO_RIGHTS, group: EVERYTHING },
  { name: 'member-of-administrators', may: { ...NO_RIGHTS, admin: true }, has: NO_RIGHTS, group: { ...NO_RIGHTS, admin: true } },
  { name: 'manager-by-role', may: { ...EVERYTHING, execute: false }, has: NO_RIGHTS, role: ROLES.manager },
  { name: 'viewer-by-role', may: { ...NO_RIGHTS, download: true, execute: true }, has: EVERYTHING, role: ROLES.viewer },
]

describe('the contract', () => {
  const calls = endpointsOf(api)

  it('allows visitors only the calls listed here (GHSA-3jmg-p96m-m328, CVE-2026-64856)', () => {
    expect(calls.filter(({ call }) => call.by === 'anyone').map(({ name }) => name)).toEqual(FOR_ANYONE)
  })

  it('allows users without rights only the calls listed here', () => {
    expect(calls.filter(({ call }) => call.by === 'user' && call.needs.length === 0).map(({ name }) => name)).toEqual(FOR_EVERY_USER)
  })

  it('allows nothing with an expired session, not even an administrator’s (A5-1, A5-4)', async () => {
    await using product = await startProduct()
    await product.seed(SAMPLE_FILES)
    const token = await product.signIn('root')
    const before = await everything(product)
    product.pass(3 * HOUR_MS)
    for (const { name, call } of calls.filter((one) => one.call.by !== 'anyone')) {
      const { address, init } = requestOf(call, samples[name as EndpointName][0].args('1') as LooseArgs)
      expect([name, (await product.ask(address, withToken(init, token))).status]).toEqual([name, 401])
    }
    expect(await everything(product)).toEqual(before)
  })

  it('has a sample for every call, and no other', () => {
    expect(Object.keys(samples).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  })
})

for (const storage of STORAGES) {
  describe(`who may call, on ${storage} storage (A5-1)`, () => {
    for (const { name, call } of endpointsOf(api)) {
      // The table has a row for each name of the tree: its type says so, and the test above.
      for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[]) {
        it(`${name}: ${sample.says}`, async () => {
          await using product = await startProduct({ storage })
          await product.seed(SAMPLE_FILES)
          const { given } = sample
          if (given !== undefined) await product.world.settings.change((before) => ({ ...before, ...given }))
          const answers: Record<string, unknown> = {}
          const expected: Record<string, unknown> = {}
          // For those that are open to anybody, it does not matter by what somebody has their rights.
          for (const principal of PRINCIPALS.filter(({ has }) => has === undefined || call.by !== 'anyone')) {
            answers[principal.name] = await outcome(product, principal, { call, sample })
            expected[principal.name] = admission(call, principal, sample.also ?? [])
          }
          expect(answers).toEqual(expected)
        })
      }
    }
  })
}

/** What the contract says: 401 for nobody, 202 or 403 by the first right that is missing. */
function admission(call: Endpoint, { may }: Principal, also: readonly Right[]): unknown {
  if (call.by === 'anyone') return 'done'
  if (may === null) return { refused: 401, changed: 'nothing' }
  const needs: readonly Right[] = [...(call.by === 'admin' ? (['admin'] as const) : []), ...call.needs, ...also]
  const missing = needs.find((right) => !rightsOf(may)[right])
  if (missing === undefined) return 'done'
  // 202 is for those that the predecessor’s clients know; as the answer to a POST it would be a yes.
  return { refused: missing === 'download' && call.method === 'GET' ? 202 : 403, changed: 'nothing' }
}

async function outcome(
  product: Product,
  principal: Principal,
  { call, sample }: { call: Endpoint; sample: Sample<Endpoint> },
): Promise<unknown> {
  const { id, token } = await enter(product, principal)
  // What is there for anybody was put there by somebody else.
  const preparer = call.by === 'anyone' ? 'root' : principal.name
  const found = preparer === principal.name && principal.may === null ? null : await sample.before?.(product.as(preparer)).catch(() => null)
  await jobsEnded(product)
  const before = await everything(product)
  const { address, init } = requestOf(call, sample.args(id, typeof found === 'string' ? found : undefined))
  const response = await product.ask(address, token === null ? init : withToken(init, token))
  // A stream of news has no end.
  const body = response.headers.get('content-type') === EVENTS_MEDIA_TYPE ? await response.body?.cancel() : await response.text()
  if ((response.ok && response.status !== 202) || response.status === sample.letIn) return 'done'
  const after = await everything(product)
  return { refused: response.status, changed: Bun.deepEquals(before, after) ? 'nothing' : { before, after, body } }
}

/** Jobs started by allowed calls continue after the response. */
async function jobsEnded({ db }: Product): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).executeTakeFirst()
  while ((await open()) !== undefined) await Bun.sleep(5)
}

/** A person with a tree of their own, so that nobody sees what another one did. */
async function enter(product: Product, { name, may, has, group, role }: Principal): Promise<{ id: string; token: string | null }> {
  if (name === 'visitor') return { id: '1', token: null }
  const scope = `/${name}`
  await product.seed(Object.fromEntries(Object.entries(SAMPLE_FILES).map(([path, text]) => [scope + path, text])))
  const { id } = await product.add(name, { scope, may: has ?? may ?? EVERYTHING })
  const root = product.as('root')
  if (group !== undefined) {
    const made = await root.groups.create({ body: { name, perm: group } })
    await root.groups.addMember({ params: { id: String(made.id), user: String(id) }, body: {} })
  }
  if (role !== undefined) await root.grants.set({ body: { who: { kind: 'user', id }, path: scope, rights: [...role] } })
  const token = await product.signIn(name)
  if (name === 'switched-off') await product.world.users.setDisabled(id, { disabled: true })
  if (name === 'signed-out') await product.ask('/api/logout', withToken({ method: 'POST' }, token))
  return { id: String(id), token }
}

/** Files, people, settings, uploads: what a refused call must leave as it was. */
async function everything({ snapshot, db }: Product): Promise<unknown> {
  const people = await db.selectFrom('users').selectAll().execute()
  const uploads = await db.selectFrom('uploads').selectAll().execute()
  const settings = await db.selectFrom('settings').selectAll().execute()
  const shares = await db.selectFrom('shares').selectAll().execute()
  const providers = await db.selectFrom('sign_in_providers').selectAll().execute()
  const links = await db.selectFrom('account_links').selectAll().execute()
  const groups = await db.selectFrom('groups').selectAll().execute()
  const memberships = await db.selectFrom('memberships').selectAll().execute()
  const grants = await db.selectFrom('grants').selectAll().execute()
  return { files: await snapshot(), people, settings, uploads, shares, groups, memberships, grants, providers, links }
}
