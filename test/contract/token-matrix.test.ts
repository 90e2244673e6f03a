import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { tokenUseOf } from '../../src/shared/contract/by-token.ts'
import { type Endpoint, endpointsOf, type Right } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { ALL_RIGHTS, NO_RIGHTS, RIGHTS, rightsOf } from '../../src/server/access/permissions.ts'
import { type EndpointName, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { clientWith, makeToken } from './token-world.ts'
import { EVERYTHING, type Product, startProduct, withToken } from './world.ts'

// Some calls start a program; a busy machine takes its time.
setDefaultTimeout(30_000)

/** What no token may do, written down by hand, so that nothing is open by accident. */
const NEVER = [
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
  'factors.removeAll',
  'tokens.list',
  'tokens.create',
  'tokens.remove',
  'appSignIns.read',
  'appSignIns.allow',
  'appSignIns.refuse',
  'users.create',
  'users.update',
  'users.welcomed',
  'users.remove',
  'people.change',
  'people.import',
  'handOver.start',
  'groups.create',
  'groups.change',
  'groups.remove',
  'groups.addMember',
  'groups.removeMember',
  'grants.set',
  'access.set',
  'quotas.set',
  'locks.remove',
  'peopleShares.remove',
  'viewings.begin',
  'viewings.get',
  'viewings.end',
  'viewings.ofMe',
  'webhooks.create',
  'webhooks.update',
  'webhooks.remove',
  'webhooks.test',
  'jobs.remove',
  'favourites.arrange',
  'favourites.star',
  'favourites.unstar',
  'favourites.visit',
  'favourites.keep',
  'favourites.leave',
  'favourites.forget',
  'mail.update',
  'mail.test',
  'mail.setAddress',
  'mail.setNotices',
  'passwordLinks.create',
  'oidc.connect',
  'oidc.connected',
  'oidc.disconnect',
  'oidc.leave',
  'providers.create',
  'providers.update',
  'providers.remove',
  'providers.order',
  'providers.only',
  'providers.try',
  'providers.tried',
  'providers.link',
  'providers.unlink',
  'directories.create',
  'directories.update',
  'directories.remove',
  'directories.try',
  'directories.check',
  'directory.connect',
]

/** What a token for one folder may do: nothing else. */
const IN_A_FOLDER = [
  'resources.recursive',
  'resources.rows',
  'resources.rowsInParts',
  'resources.get',
  'resources.upload',
  'resources.save',
  'resources.remove',
  'resources.transfer',
  'resources.usage',
  'resources.subtitle',
  'search.lines',
  'search.run',
  'search.documentText',
  'raw.get',
  'previews.get',
  'photos.list',
  'photos.facts',
  'tus.create',
  'tus.offset',
  'tus.append',
  'tus.cancel',
  'bulk.upload',
  'locks.list',
  'shares.ofPath',
  'shares.create',
  'peopleShares.ofPath',
  'peopleShares.create',
  'live.folder',
  'unpack.list',
  'unpack.entry',
  'sizes.folder',
  'sizes.largest',
  'sizes.duplicates',
  'trash.policy',
  'versions.content',
  'versions.list',
  'versions.restore',
  'versions.remove',
]

/** Their samples change what needs a proof of identity, which no token has. */
const NEED_A_PROOF = ['settings.update']

/** Tells a refused token from a wrong code, which has the same status. */
const NOT_BY_TOKEN = '"right":"token"'

const FOLDER = '/inside'
const SECRET = 'hidden-7f3a'

interface Kind {
  readonly name: string
  readonly may: Permissions
  readonly folder: string
}

const KINDS: readonly Kind[] = [
  { name: 'no-right', may: NO_RIGHTS, folder: '/' },
  ...RIGHTS.filter((right) => right !== 'admin').map((right) => ({
    name: `no-${right}`,
    may: { ...EVERYTHING, [right]: false },
    folder: '/',
  })),
  { name: 'every-right', may: EVERYTHING, folder: '/' },
  { name: 'administration', may: ALL_RIGHTS, folder: '/' },
  { name: 'one-folder', may: { ...EVERYTHING, execute: false }, folder: FOLDER },
]

describe('the contract says of every call', () => {
  const calls = endpointsOf(api)

  it('whether a token may make it: never those listed here (GHSA-7xwp-2cpp-p8r7, CVE-2025-53826)', () => {
    expect(calls.filter(({ call }) => tokenUseOf(call) === 'no').map(({ name }) => name)).toEqual(NEVER)
  })

  it('whether a token for one folder may make it', () => {
    expect(calls.filter(({ call }) => tokenUseOf(call) === 'yes').map(({ name }) => name)).toEqual(IN_A_FOLDER)
  })

  it('that a token counts where somebody must be signed in, and nowhere else', () => {
    for (const { name, call } of calls) expect([name, tokenUseOf(call) === 'anyone']).toEqual([name, call.by === 'anyone'])
  })
})

describe('what a token may do', () => {
  for (const { name, call } of endpointsOf(api)) {
    for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[]) {
      it(`${name}: ${sample.says}`, async () => {
        await using product = await startProduct({ storage: 'local' })
        await product.seed(SAMPLE_FILES)
        const { given } = sample
        if (given !== undefined) await product.world.settings.change((before) => ({ ...before, ...given }))
        const answers: Record<string, unknown> = {}
        const expected: Record<string, unknown> = {}
        for (const kind of KINDS) {
          answers[kind.name] = await outcome(product, kind, { call, sample })
          expected[kind.name] = admission({ name, call }, kind, sample.also ?? [])
        }
        expect(answers).toEqual(expected)
      })
    }
  }
})

function admission({ name, call }: { name: string; call: Endpoint }, { may, folder }: Kind, also: readonly Right[]): unknown {
  const use = tokenUseOf(call)
  if (use === 'anyone') return 'done'
  if (use === 'no' || (use === 'whole' && folder !== '/')) return { refused: 403, changed: 'nothing' }
  const needs: readonly Right[] = [...(call.by === 'admin' ? (['admin'] as const) : []), ...call.needs, ...also]
  // A link may allow what its maker may: here to download.
  const all =
    name === 'shares.create' || name === 'shares.change' || name === 'peopleShares.create' ? [...needs, 'download' as const] : needs
  const missing = all.find((right) => !rightsOf(may)[right])
  if (missing === undefined && !NEED_A_PROOF.includes(name)) return 'done'
  return { refused: missing === 'download' && call.method === 'GET' ? 202 : 403, changed: 'nothing' }
}

/** What came of a call with a token of an administrator, who may do everything: only the token limits it. */
async function outcome(product: Product, kind: Kind, { call, sample }: { call: Endpoint; sample: Sample<Endpoint> }): Promise<unknown> {
  const scope = `/${kind.name}`
  const base = kind.folder === '/' ? scope : scope + kind.folder
  await product.seed({
    ...Object.fromEntries(Object.entries(SAMPLE_FILES).map(([path, text]) => [base + path, text])),
    ...(kind.folder !== '/' && { [`${scope}/${SECRET}.txt`]: SECRET, [`${scope}/${SECRET}/a.txt`]: SECRET }),
  })
  const { id } = await product.add(kind.name, { scope, may: { ...EVERYTHING, admin: true } })
  const { token } = await makeToken(product, kind.name, { name: 'limited', perm: kind.may, folder: kind.folder })
  const preparer = kind.folder === '/' ? product.as(kind.name) : clientWith(product, token)
  const found = await sample.before?.(call.by === 'anyone' ? product.as('root') : preparer).catch(() => null)
  await jobsEnded(product)
  const before = await everything(product)
  const { address, init } = requestOf(call, sample.args(String(id), typeof found === 'string' ? found : undefined))
  const response = await product.ask(address, withToken(init, token))
  // A stream of news has no end.
  const body = response.headers.get('content-type') === EVENTS_MEDIA_TYPE ? await response.body?.cancel() : await response.text()
  if (kind.folder !== '/') expect([body, ...response.headers].join()).not.toContain(SECRET)
  const isLetIn = response.status === sample.letIn && body?.includes(NOT_BY_TOKEN) !== true
  if ((response.ok && response.status !== 202) || isLetIn) return 'done'
  return { refused: response.status, changed: Bun.deepEquals(before, await everything(product)) ? 'nothing' : body }
}

/** Jobs started by allowed calls continue after the response. */
async function jobsEnded({ db }: Product): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).executeTakeFirst()
  while ((await open()) !== undefined) await Bun.sleep(5)
}

/** What a refused call must leave as it was. */
async function everything({ snapshot, db }: Product): Promise<unknown> {
  const rows = (
    table: 'users' | 'uploads' | 'settings' | 'shares' | 'favourites' | 'webhooks' | 'sessions' | 'groups' | 'memberships' | 'grants',
  ) => db.selectFrom(table).selectAll().execute()
  const tokens = await db.selectFrom('api_tokens').select('id').execute()
  return {
    files: await snapshot(),
    tokens,
    users: await rows('users'),
    uploads: await rows('uploads'),
    settings: await rows('settings'),
    shares: await rows('shares'),
    favourites: await rows('favourites'),
    webhooks: await rows('webhooks'),
    sessions: await rows('sessions'),
    groups: await rows('groups'),
    memberships: await rows('memberships'),
    grants: await rows('grants'),
  }
}
