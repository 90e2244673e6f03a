import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { HandOver, HandOverChoice } from '../../src/shared/contract/hand-over.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { createJournal } from '../../src/server/journal/journal.ts'
import { refusal } from './trash-calls.ts'
import { until } from './until.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD } from './world.ts'

setDefaultTimeout(30_000)

const TREE = { '/home/eve/a.txt': 'a', '/home/eve/docs/b.txt': 'bb', '/home/bob/own.txt': 'own', '/team/plan.txt': 'plan' }
const CHOICE = { files: 'move', folder: 'From Eve', shares: 'pass', rest: 'keep', account: 'disable' } as const

onEachStorage((product) => {
  const root = () => product().as('root')
  const idOf = async (name: string) => (await product().account(name)).id
  const paramsOf = async (name: string) => ({ params: { id: String(await idOf(name)) } })

  async function seed({ bob = {} }: { bob?: Parameters<ReturnType<typeof product>['add']>[1] } = {}): Promise<void> {
    await product().seed(TREE)
    await product().add('eve', { scope: '/home/eve' })
    await product().add('bob', { scope: '/home/bob', ...bob })
  }
  const start = async (choice: Partial<HandOverChoice> = {}, who = 'eve', to = 'bob') =>
    root().handOver.start({ ...(await paramsOf(who)), body: { ...CHOICE, to: await idOf(to), ...choice } })
  async function ended(id: number): Promise<HandOver> {
    let last: HandOver | null = null
    await until(async () => {
      last = (await root().handOver.state({ params: { id: String(id) } })).last
      return last !== null && (last.state === 'done' || last.state === 'failed')
    })
    return last as unknown as HandOver
  }
  async function handedOver(choice: Partial<HandOverChoice> = {}): Promise<HandOver> {
    const id = await idOf('eve')
    await start(choice)
    return ended(id)
  }
  const linkTo = async (who: string, path: string, terms: object = {}) => {
    const made = await product().ask(`/api/share${path}`, { method: 'POST', who, body: JSON.stringify(terms) })
    return ((await made.json()) as { hash: string }).hash
  }
  const opened = async (hash: string, headers: Record<string, string> = {}) =>
    (await product().ask(`/api/public/share/${hash}`, { headers })).status
  const preview = async (to?: string) =>
    root().handOver.preview({
      ...(await paramsOf('eve')),
      query: to === undefined ? {} : { to: String(await idOf(to)), folder: 'From Eve' },
    })

  describe('the preview', () => {
    it('says what there is and what becomes of it, and changes nothing', async () => {
      await seed()
      await linkTo('eve', '/a.txt')
      await product()
        .as('eve')
        .tokens.create({ body: { name: 'sync', perm: { download: true }, current_password: PASSWORD } })
      const team = await root().groups.create({ body: { name: 'team' } })
      await root().groups.addMember({ params: { id: String(team.id), user: String(await idOf('eve')) }, body: {} })
      await root().quotas.set({ body: { who: { kind: 'user', id: await idOf('eve') }, bytes: 1000, files: null } })
      await product()
        .as('eve')
        .resources.remove({ params: { path: at('/docs') }, query: {} })
      const before = await product().snapshot()
      const alone = await preview()
      expect(alone).toMatchObject({
        home: { path: '/home/eve', state: 'own', files: 1, bytes: 1, isCounted: true },
        folder: null,
        given: 1,
        shares: [{ kind: 'link', path: '/home/eve/a.txt', obstacle: null }],
        tokens: 1,
        trash: { count: 1 },
        groups: ['team'],
        quota: { bytes: 1000, files: null },
      })
      expect(await preview('bob')).toMatchObject({ folder: '/home/bob/From Eve', problems: [], passing: 1 })
      expect(await product().snapshot()).toEqual(before)
      expect((await product().account('eve')).disabled).toBe(false)
    })

    it('names what forbids it: no room, a folder that a rule hides, an account without a folder or one that is disabled', async () => {
      await seed()
      const problems = async () => (await preview('bob')).problems
      await root().quotas.set({ body: { who: { kind: 'user', id: await idOf('bob') }, bytes: 4, files: null } })
      await root().quotas.count({ body: { who: { kind: 'user', id: await idOf('bob') } } })
      expect(await problems()).toEqual(['no-room'])
      expect(await refusal(start())).toBe('invalid-input')
      await root().quotas.set({ body: { who: { kind: 'user', id: await idOf('bob') }, bytes: null, files: null } })
      await product().setRules('bob', [deny('/From Eve')])
      expect(await problems()).toEqual(['hidden'])
      await product().setRules('bob', [])
      await product().setScope('bob', '/nowhere')
      expect(await problems()).toEqual(['no-folder'])
      await product().setScope('bob', '/home/bob')
      await product().world.users.setDisabled(await idOf('bob'), { disabled: true })
      expect(await problems()).toEqual(['disabled'])
      expect(await refusal(start())).toBe('invalid-input')
      // Nothing was begun.
      expect((await product().account('eve')).disabled).toBe(false)
    })

    it('counts what rules will hide from the successor, and what they hide from the leaver and will not', async () => {
      await product().seed(TREE)
      await product().add('eve', { scope: '/home/eve', rules: [deny('/docs')] })
      await product().add('bob', { scope: '/home/bob', rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'a\\.txt$' } }] })
      expect((await preview('bob')).home).toMatchObject({ files: 3, hidden: 1, revealed: 2 })
    })
  })

  describe('handing over', () => {
    it('moves the files into a new folder, passes links with address and password, disables the account, and tells it in the log', async () => {
      await seed()
      const [open, secret] = [await linkTo('eve', '/a.txt'), await linkTo('eve', '/docs', { password: 'hunter22' })]
      await product()
        .as('eve')
        .peopleShares.create({ params: { path: at('/docs') }, body: { who: { kind: 'user', id: await idOf('ann') }, role: 'viewer' } })
      const token = await product().tokenOf('eve')
      const done = await handedOver()
      expect(done).toMatchObject({ state: 'done', step: 'end', folder: '/home/bob/From Eve', passed: 3, ended: 0, kept: 0, error: null })
      expect(await product().read('/home/bob/From Eve/docs/b.txt')).toBe('bb')
      expect((await product().ask('/api/raw/From%20Eve/a.txt', { who: 'bob' })).status).toBe(200)
      expect((await product().ask('/api/resources/', { headers: { 'x-auth': token } })).status).toBe(401)
      expect((await product().account('eve')).disabled).toBe(true)
      expect(await opened(open)).toBe(200)
      expect(await opened(secret)).toBe(401)
      expect(await opened(secret, { 'x-share-password': 'hunter22' })).toBe(200)
      expect((await product().as('ann').peopleShares.received({})).map(({ owner }) => owner)).toEqual(['bob'])
      const { entries } = await root().audit.list({ query: { who: 'root' } })
      const kinds = entries.map(({ kind }) => kind)
      expect(kinds.slice(0, 4)).toEqual(['user-handed-over', 'share-changed', 'share-changed', 'share-changed'])
      expect(kinds).toContain('user-changed')
    })

    it('can be taken back by the administrator: the files return, and links follow them', async () => {
      await seed()
      const { group } = await handedOver()
      await root().operations.undo({ params: { group } })
      expect(await product().read('/home/eve/docs/b.txt')).toBe('bb')
      expect(Object.keys(await product().snapshot()).some((path) => path.includes('From Eve'))).toBe(false)
    })

    it('takes a free name, never over something', async () => {
      await seed()
      await product().seed({ '/home/bob/From Eve/kept.txt': 'kept' })
      expect(await handedOver()).toMatchObject({ state: 'done', folder: '/home/bob/From Eve 2' })
      expect(await product().read('/home/bob/From Eve/kept.txt')).toBe('kept')
      expect(await product().read('/home/bob/From Eve 2/a.txt')).toBe('a')
    })

    it('moves nothing from a folder that others share, and leaves files where they are if asked to', async () => {
      await seed()
      await product().add('kim', { scope: '/home/eve/docs' })
      expect((await preview('bob')).home.state).toBe('shared')
      expect(await handedOver()).toMatchObject({ state: 'done', folder: null })
      expect(await product().read('/home/eve/a.txt')).toBe('a')
    })

    it('ends or keeps what the successor could not have given, as chosen, and never opens more than before', async () => {
      await product().seed(TREE)
      await product().add('eve', { scope: '/', rules: [deny('/team/hidden')] })
      await product().add('bob', { scope: '/team' })
      await product().seed({ '/team/hidden/h.txt': 'h', '/team/open/o.txt': 'o' })
      const [elsewhere, inside, more] = [
        await linkTo('eve', '/home/eve/a.txt'),
        await linkTo('eve', '/team/open'),
        await linkTo('eve', '/team'),
      ]
      const { shares } = await preview('bob')
      expect(shares.map(({ path, obstacle }) => [path, obstacle])).toEqual([
        ['/home/eve/a.txt', 'out-of-reach'],
        ['/team', 'shows-more'],
        ['/team/open', null],
      ])
      expect(await handedOver()).toMatchObject({ passed: 1, kept: 2, ended: 0, folder: null })
      expect([await opened(inside), await opened(elsewhere), await opened(more)]).toEqual([200, 404, 404])
      // With the check left out, the successor’s link shows what the leaver could not see.
      const bob = await idOf('bob')
      await product().db.updateTable('shares').set({ user_id: bob }).where('hash', '=', more).execute()
      expect((await product().ask(`/api/public/dl/${more}/hidden/h.txt`)).status).toBe(200)
      await product()
        .db.updateTable('shares')
        .set({ user_id: await idOf('eve') })
        .where('hash', '=', more)
        .execute()
      expect(await handedOver({ rest: 'end' })).toMatchObject({ passed: 0, kept: 0, ended: 2 })
      expect(await product().db.selectFrom('shares').select('hash').execute()).toEqual([{ hash: inside }])
    })

    it('people-attack-5b: passes no link by which more could be done than now', async () => {
      await seed({ bob: { scope: '/' } })
      const edit = await linkTo('eve', '/docs', { rights: 'edit' })
      await product().setRights('eve', { ...EVERYTHING, modify: false, rename: false, delete: false })
      expect((await preview('bob')).shares.map(({ obstacle }) => obstacle)).toEqual(['shows-more'])
      await handedOver()
      const renamed = await product().ask(`/api/public/share/${edit}/b.txt`, { method: 'DELETE' })
      expect(renamed.status).not.toBe(200)
    })

    it('people-attack-7b: moves no folder in which somebody else’s leads by a link', async () => {
      await seed()
      await product().link('/zoe', 'home/eve/docs')
      await product().add('zoe', { scope: '/zoe' })
      expect((await preview('bob')).home.state).toBe('shared')
    })

    it('passes nothing whose owner could do less, or that opened nothing', async () => {
      await seed({ bob: { scope: '/', may: { ...EVERYTHING, modify: false } } })
      const [edit, read] = [await linkTo('eve', '/docs', { rights: 'edit' }), await linkTo('eve', '/a.txt')]
      expect((await preview('bob')).shares.map(({ obstacle }) => obstacle)).toEqual([null, 'no-right'])
      await product().setRights('eve', { ...EVERYTHING, share: false })
      expect((await preview('bob')).shares.map(({ obstacle }) => obstacle)).toEqual(['no-right', 'no-right'])
      await product().setRights('eve', EVERYTHING)
      await handedOver()
      expect([await opened(read), await opened(edit)]).toEqual([200, 404])
    })

    it('ends what was shared with the successor, who has it now, and keeps one of two shares with the same people', async () => {
      await seed({ bob: { scope: '/' } })
      const share = async (who: string, path: string, to: string) =>
        product()
          .as(who)
          .peopleShares.create({ params: { path: at(path) }, body: { who: { kind: 'user', id: await idOf(to) }, role: 'viewer' } })
      await share('eve', '/docs', 'bob')
      await share('eve', '/docs', 'ann')
      await share('bob', '/home/eve/docs', 'ann')
      expect(await handedOver({ rest: 'end' })).toMatchObject({ passed: 0, ended: 2 })
      expect((await product().as('ann').peopleShares.received({})).map(({ owner }) => owner)).toEqual(['bob'])
    })

    it('deletes the account in the end if asked to; the log still knows it', async () => {
      await seed()
      const link = await linkTo('eve', '/a.txt')
      expect(await handedOver({ account: 'delete' })).toMatchObject({ state: 'done', passed: 1 })
      expect(await product().world.users.findByName('eve')).toBe(null)
      expect(await opened(link)).toBe(200)
      const { entries } = await root().audit.list({ query: { kind: 'user-handed-over' } })
      expect(entries[0]).toMatchObject({ subject: 'eve', who: 'root' })
    })

    it('needs an administrator, a proof, another person and somebody else than oneself, and goes on once at a time', async () => {
      await seed()
      const [eve, bob] = [await idOf('eve'), await idOf('bob')]
      const body = { ...CHOICE, to: bob }
      expect(
        await refusal(
          product()
            .as('ann')
            .handOver.start({ params: { id: String(eve) }, body }),
        ),
      ).toBe('forbidden')
      expect(await refusal(root().handOver.start({ params: { id: String(await idOf('root')) }, body }))).toBe('forbidden')
      expect(await refusal(root().handOver.start({ params: { id: String(eve) }, body: { ...body, to: eve } }))).toBe('invalid-input')
      expect(await refusal(root().handOver.start({ params: { id: String(eve) }, body: { ...body, folder: 'a/b' } }))).toBe('invalid-input')
      await root().users.list({})
      product().pass(10 * 60_000)
      expect(await refusal(root().handOver.start({ params: { id: String(eve) }, body }))).toBe('proof-needed')
      expect((await product().account('eve')).disabled).toBe(false)
      const proven = { ...body, current_password: PASSWORD }
      await product().world.stopHandOvers()
      const both = await Promise.all([0, 1].map(() => refusal(root().handOver.start({ params: { id: String(eve) }, body: proven }))))
      expect(both.toSorted()).toEqual(['busy', 'none'])
      product().restart()
      await product().world.recover()
      expect((await ended(eve)).state).toBe('done')
    })

    it('fails, with nothing passed, if the successor is disabled meanwhile; then somebody else can get it', async () => {
      await seed()
      await product().seed({ '/home/kim/k.txt': 'k' })
      await product().add('kim', { scope: '/home/kim' })
      const link = await linkTo('eve', '/a.txt')
      const stopped = product().world.stopHandOvers()
      await stopped
      const begun = await start()
      expect(begun.state).toBe('waiting')
      await product().world.users.setDisabled(await idOf('bob'), { disabled: true })
      product().restart()
      await product().world.recover()
      const failed = await ended(await idOf('eve'))
      expect(failed).toMatchObject({ state: 'failed', error: 'access-changed', passed: 0, folder: null })
      expect(await opened(link)).toBe(404)
      expect(await product().read('/home/eve/a.txt')).toBe('a')
      await start({}, 'eve', 'kim')
      expect(await ended(await idOf('eve'))).toMatchObject({ state: 'done', folder: '/home/kim/From Eve', passed: 1 })
      expect(await opened(link)).toBe(200)
    })

    it('fails, with everything where it was, if there is no room meanwhile: the quotas of the successor count, not those of the administrator', async () => {
      await seed()
      await product().world.stopHandOvers()
      await start()
      const who = { kind: 'user' as const, id: await idOf('bob') }
      await root().quotas.set({ body: { who, bytes: 4, files: null } })
      await root().quotas.count({ body: { who } })
      product().restart()
      await product().world.recover()
      expect(await ended(await idOf('eve'))).toMatchObject({ state: 'failed', error: 'quota-exceeded', folder: null })
      expect(await product().read('/home/eve/docs/b.txt')).toBe('bb')
    })

    it('goes on after a kill, whichever step it was at, and does nothing twice', async () => {
      await seed()
      const link = await linkTo('eve', '/a.txt')
      const done = await handedOver()
      // As if the server had died after the move, before it wrote that, and before links passed.
      const eve = await idOf('eve')
      await createJournal({ db: product().db }).settled()
      await product().db.updateTable('shares').set({ user_id: eve }).where('hash', '=', link).execute()
      const report = JSON.stringify({
        step: 'files',
        folder: '/home/bob/From Eve',
        done: 0,
        total: 0,
        passed: 0,
        ended: 0,
        kept: 0,
        error: null,
      })
      const lease = { state: 'running' as const, report, lease_until: Number.MAX_SAFE_INTEGER, ended_at: null }
      await product().db.updateTable('jobs').set(lease).where('id', '=', done.id).execute()
      product().restart()
      await product().world.recover()
      // A database of several servers waits for the lease.
      product().pass(60_000)
      await product().db.updateTable('jobs').set({ lease_until: 0 }).where('id', '=', done.id).where('state', '=', 'running').execute()
      const again = await ended(eve)
      expect(again).toMatchObject({ state: 'done', folder: '/home/bob/From Eve', passed: 1 })
      expect(Object.keys(await product().snapshot()).filter((path) => path.startsWith('/home/') && path.endsWith('a.txt'))).toEqual([
        '/home/bob/From Eve/a.txt',
      ])
      expect(await opened(link)).toBe(200)
    })
  })
})
