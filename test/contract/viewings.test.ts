import { until } from './until.ts'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { sql } from 'kysely'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { viewingUseOf } from '../../src/shared/contract/in-viewing.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import type { Viewing } from '../../src/shared/contract/viewings.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { accessWhileViewing } from '../../src/server/access/viewed.ts'
import { accessOf } from '../../src/server/users/access-of.ts'
import { OVER_HTTP } from './over-http.ts'
import { type EndpointName, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { makeToken } from './token-world.ts'
import { refusal } from './trash-calls.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD, type Product, startProduct, withToken } from './world.ts'

setDefaultTimeout(60_000)

const MINUTE_MS = 60_000
/** What somebody who looks may call about themselves; everything else that is answered reads files. */
const OWN = ['session.renew', 'session.logout', 'users.get', 'viewings.get', 'viewings.end']

async function begin(product: Product, name: string, who = 'root'): Promise<Viewing> {
  return product.as(who).viewings.begin({ body: { user: (await product.account(name)).id } })
}

/** A call of an administrator who looks. */
function inside(product: Product, { id }: Pick<Viewing, 'id'>, address: string, init: RequestInit = {}): Promise<Response> {
  return product.ask(`/view-as/${id}${address}`, { who: 'root', ...init })
}

onEachStorage((product) => {
  const status = async (viewing: Viewing, address: string, init?: RequestInit) => (await inside(product(), viewing, address, init)).status

  describe('an administrator who looks at the files as somebody else', () => {
    it('sees what that person sees, and reads what both may read', async () => {
      await product().seed({ '/home/a.txt': 'mine', '/home/no/b.txt': 'no', '/home/.dot': 'dot', '/other.txt': 'other' })
      await product().add('eve', { scope: '/home', rules: [deny('/no')], hideDotfiles: true })
      const viewing = await begin(product(), 'eve')
      const listed = (await (await inside(product(), viewing, '/api/resources/')).json()) as { items: { name: string }[] }
      expect(listed.items.map(({ name }) => name)).toEqual(['a.txt'])
      expect(await (await inside(product(), viewing, '/api/raw/a.txt')).text()).toBe('mine')
      for (const path of ['/no', '/no/b.txt', '/.dot', '/other.txt']) expect(await status(viewing, `/api/resources${path}`)).toBe(404)
      expect(viewing.user.name).toBe('eve')

      await product().setRights('eve', NO_RIGHTS)
      expect([await status(viewing, '/api/raw/a.txt'), await status(viewing, '/api/resources/')]).toEqual([202, 200])
    })

    it('people-attack-9b: ends when the person is disabled, and stays ended when they are enabled again', async () => {
      await product().seed({ '/a.txt': 'a' })
      const viewing = await begin(product(), 'ann')
      const answer = async () => (await product().ask(`/view-as/${viewing.id}/api/resources/`, { who: 'root' })).status
      expect(await answer()).toBe(200)
      const ids = [(await product().account('ann')).id]
      for (const action of ['disable', 'enable'] as const)
        await product()
          .as('root')
          .people.change({ body: { ids, change: { action } } })
      await until(async () => (await answer()) === 404)
    })

    it('reads nothing that their own account does not; with the person’s access alone they would', async () => {
      await product().seed({ '/a.txt': 'a', '/private/diary.txt': 'dear diary' })
      await product().setRules('root', [deny('/private')])
      const viewing = await begin(product(), 'ann')
      expect([await status(viewing, '/api/raw/a.txt'), await status(viewing, '/api/raw/private/diary.txt')]).toEqual([200, 404])
      expect(await (await inside(product(), viewing, '/api/resources/')).text()).not.toContain('private')

      // Without the cut.
      const { world } = product()
      const access = async (name: string) => {
        const account = await product().account(name)
        return { access: accessOf(account, await world.settings.read(), await world.grantedTo(account.id)), scope: ROOT }
      }
      const [ann, root] = [await access('ann'), await access('root')]
      expect(await world.driveFor(ann.access).rights(at('/private/diary.txt'))).toMatchObject({ download: true, modify: true })
      const looking = world.driveFor(accessWhileViewing(ann, root))
      expect(await refusal(looking.rights(at('/private/diary.txt')))).toBe('not-found')
      expect(await looking.rights(at('/a.txt'))).toEqual({ ...NO_RIGHTS, download: true })
    })

    it('changes nothing, whatever the person may; outside the person does', async () => {
      await product().seed({ '/a.txt': 'a' })
      const viewing = await begin(product(), 'ann')
      const before = await product().snapshot()
      const attacks: [string, string, string?][] = [
        ['POST', '/api/resources/new.txt', 'new'],
        ['PUT', '/api/resources/a.txt', 'changed'],
        ['PATCH', '/api/resources/a.txt?action=rename&destination=/b.txt'],
        ['DELETE', '/api/resources/a.txt'],
      ]
      for (const [method, address, body] of attacks)
        expect([method, await status(viewing, address, { method, ...(body !== undefined && { body }) })]).toEqual([method, 403])
      expect(await product().snapshot()).toEqual(before)
      for (const [method, address, body] of [...attacks.slice(0, 2), ...attacks.slice(3)]) {
        const response = await product().ask(address, { who: 'ann', method, ...(body !== undefined && { body }) })
        expect([method, response.ok]).toEqual([method, true])
      }
    })

    it('must prove again who they are', async () => {
      const { id } = await product().account('ann')
      const token = await product().signIn('root')
      product().pass(6 * MINUTE_MS)
      const headers = { accept: 'application/json' }
      const ask = (body: object) =>
        product().ask('/api/viewings', withToken({ method: 'POST', headers, body: JSON.stringify(body) }, token))
      expect(await (await ask({ user: id })).text()).toContain('proof-needed')
      expect((await ask({ user: id, current_password: PASSWORD })).status).toBe(200)
    })

    it('cannot look as an administrator, as themselves, as somebody beyond their own folder, or as nobody', async () => {
      await product().seed({ '/part/a.txt': 'a', '/elsewhere/b.txt': 'b' })
      await product().add('boss', { may: { ...EVERYTHING, admin: true } })
      await product().add('part', { may: { ...EVERYTHING, admin: true }, scope: '/part' })
      await product().add('inside', { scope: '/part' })
      await product().add('outside', { scope: '/elsewhere' })
      const group = await product()
        .as('root')
        .groups.create({ body: { name: 'Admins', perm: { ...NO_RIGHTS, admin: true } } })
      const deputy = await product().add('deputy')
      await product()
        .as('root')
        .groups.addMember({ params: { id: String(group.id), user: String(deputy.id) }, body: {} })
      for (const name of ['boss', 'root', 'deputy']) expect([name, await refusal(begin(product(), name))]).toEqual([name, 'forbidden'])
      for (const name of ['ann', 'outside']) expect([name, await refusal(begin(product(), name, 'part'))]).toEqual([name, 'forbidden'])
      expect(
        await refusal(
          product()
            .as('root')
            .viewings.begin({ body: { user: 99_999 } }),
        ),
      ).toBe('not-found')
      expect(await refusal(begin(product(), 'inside', 'ann'))).toBe('forbidden')
      expect((await begin(product(), 'inside', 'part')).user.name).toBe('inside')
    })

    const ends: Record<string, (viewing: Viewing) => Promise<unknown>> = {
      'they leave it': ({ id }) => product().as('root').viewings.end({ params: { id } }),
      'the time is over': async () => product().pass(15 * MINUTE_MS + 1),
      'they begin another': () => begin(product(), 'other'),
      'they are no administrator any more': () => product().setRights('root', EVERYTHING),
      'the person becomes one': () => product().setRights('eve', { ...EVERYTHING, admin: true }),
      'the person is disabled': async () =>
        product()
          .as('root')
          .people.change({ body: { ids: [(await product().account('eve')).id], change: { action: 'disable' } } }),
      'the person is removed': async () =>
        product()
          .as('root')
          .users.remove({ params: { id: String((await product().account('eve')).id) }, body: '' }),
    }
    for (const [says, end] of Object.entries(ends))
      it(`stops to see anything when ${says}`, async () => {
        await product().seed({ '/a.txt': 'a' })
        await product().add('boss', { may: { ...EVERYTHING, admin: true } })
        await product().add('eve')
        await product().add('other')
        const viewing = await begin(product(), 'eve')
        expect(await status(viewing, '/api/raw/a.txt')).toBe(200)
        await end(viewing)
        product().pass(1001)
        expect(await status(viewing, '/api/raw/a.txt')).toBe(404)
        expect(
          await refusal(
            product()
              .as('root')
              .viewings.get({ params: { id: viewing.id } }),
          ),
        ).toBe('not-found')
      })

    it('looks only with the sign-in that began it: not with another one, by an API token, or as somebody else', async () => {
      await product().seed({ '/a.txt': 'a' })
      await product().add('boss', { may: { ...EVERYTHING, admin: true } })
      const viewing = await begin(product(), 'ann')
      const address = `/view-as/${viewing.id}/api/raw/a.txt`
      expect((await product().ask(address, withToken({}, await product().signIn('root')))).status).toBe(404)
      for (const who of ['boss', 'ann']) expect((await product().ask(address, { who })).status).toBe(404)
      expect((await product().ask(address)).status).toBe(401)
      const { token } = await makeToken(product(), 'root')
      const headers = { authorization: `Bearer ${token}` }
      expect((await product().ask(address, { headers })).status).toBe(403)
      const body = JSON.stringify({ user: (await product().account('ann')).id })
      expect((await product().ask('/api/viewings', { method: 'POST', headers, body })).status).toBe(403)
      expect(await status(viewing, '/api/raw/a.txt')).toBe(200)
    })

    it('ends with the sign-in, and goes on when its token is renewed', async () => {
      await product().seed({ '/a.txt': 'a' })
      const first = await product().signIn('root')
      const body = JSON.stringify({ user: (await product().account('ann')).id })
      const { id } = (await (await product().ask('/api/viewings', withToken({ method: 'POST', body }, first))).json()) as Viewing
      const renewed = await (await product().ask(`/view-as/${id}/api/renew`, withToken({ method: 'POST' }, first))).text()
      const see = async () => (await product().ask(`/view-as/${id}/api/raw/a.txt`, withToken({}, renewed))).status
      expect(await see()).toBe(200)
      await product().ask('/api/logout', withToken({ method: 'POST' }, renewed))
      expect(await see()).toBe(401)
    })

    it('is in the activity log, and told to the person and nobody else', async () => {
      const viewing = await begin(product(), 'ann')
      await product()
        .as('root')
        .viewings.end({ params: { id: viewing.id } })
      await product().world.trail.settled()
      const { entries } = await product()
        .as('root')
        .audit.list({ query: { kind: 'viewed-as' } })
      expect(entries.map(({ who, subject }) => [who, subject])).toEqual([
        ['root', 'ann'],
        ['root', 'ann'],
      ])
      const told = await product().as('ann').viewings.ofMe({})
      expect(told).toMatchObject([{ by: 'root' }])
      expect((told[0]?.until ?? 0) < viewing.until).toBe(true)
      expect(await product().as('root').viewings.ofMe({})).toEqual([])
    })

    it('is no visitor either: what is open to anybody is refused as long as they look', async () => {
      await product().seed({ '/a.txt': 'a' })
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/a.txt') }, query: {}, body: '{}' })
      const viewing = await begin(product(), 'ann')
      expect(await status(viewing, `/api/public/dl/${hash}`)).toBe(403)
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(200)
    })
  })
})

describe('every call while somebody looks as another', () => {
  const calls = endpointsOf(api)
  let product: Product
  beforeEach(async () => {
    product = await startProduct({ storage: 'memory' })
    await product.seed(SAMPLE_FILES)
    await product.add('boss', { may: { ...EVERYTHING, admin: true } })
  })
  afterEach(() => product[Symbol.asyncDispose]())

  it('is about files and reads, or about the administrator; these are all', () => {
    const reading = calls.filter(({ call }) => viewingUseOf(call) === 'files')
    expect(reading.filter(({ call: { method, alsoMethods = [] } }) => ![method, ...alsoMethods].every(isReading))).toEqual([])
    expect(calls.filter(({ call }) => viewingUseOf(call) === 'own').map(({ name }) => name)).toEqual(OWN)
  })

  for (const { name, call } of calls.filter((one) => viewingUseOf(one.call) !== 'own')) {
    const refuses = viewingUseOf(call) === 'no'
    // The table has a row for each name of the tree: its type says so.
    for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[])
      it(`${name}, ${sample.says}, ${refuses ? 'is refused; outside it is let in' : 'leaves everything as it is'}`, async () => {
        const { given } = sample
        if (given !== undefined) await product.world.settings.change((before) => ({ ...before, ...given }))
        const { id } = await product.account('boss')
        const found = await sample.before?.(product.as('boss')).catch(() => null)
        const viewing = await begin(product, 'ann', 'boss')
        await jobsEnded(product)
        const { address, init } = requestOf(call, sample.args(String(id), typeof found === 'string' ? found : undefined))
        const before = await everything(product)
        const token = await product.tokenOf('boss')
        const response = await product.ask(`/view-as/${viewing.id}${address}`, withToken(init, token))
        await ended(response)
        if (refuses) expect(response.status).toBe(403)
        else expect(response.ok || response.status === sample.letIn).toBe(true)
        expect(await everything(product)).toEqual(before)
        if (!refuses) return
        const again = requestOf(call, sample.args(String(id), typeof found === 'string' ? found : undefined))
        const outside = await product.ask(again.address, withToken(again.init, token))
        await ended(outside)
        expect([outside.status, (outside.ok && outside.status !== 202) || outside.status === sample.letIn]).toEqual([outside.status, true])
      })
  }
})

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

async function ended(response: Response): Promise<void> {
  // A stream of news has no end.
  if (response.headers.get('content-type') === EVENTS_MEDIA_TYPE) await response.body?.cancel()
  else await response.arrayBuffer()
}

async function jobsEnded({ db }: Product): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).executeTakeFirst()
  // A program that is asked over HTTP counts by itself; this process does when it is told to.
  const uncounted = async () =>
    OVER_HTTP ? db.selectFrom('quotas').select('subject').where('stale', '=', 1).executeTakeFirst() : undefined
  while ((await open()) !== undefined || (await uncounted()) !== undefined) await Bun.sleep(5)
}

/** All files, and all tables but the last use of the administrator’s own session, and what is kept about photos, as thumbnails of them are. */
async function everything({ db, snapshot }: Product): Promise<unknown> {
  const tables: Record<string, unknown> = {}
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    if (name !== 'sessions' && name !== 'photo_facts') tables[name] = rows
  }
  return { files: await snapshot(), tables }
}
