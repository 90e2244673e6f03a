import { describe, expect, it } from 'bun:test'
import { bulkHead } from '../../src/shared/contract/bulk.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { MAX_LOCKS } from '../../src/server/dav/locks.ts'
import { dav, davStatus, lock, LOCK_BODY, propfindBody, SHARED_LOCK_BODY } from './dav-calls.ts'
import { refusal } from './trash-calls.ts'
import { HOUR_MS, onEachStorage } from './world.ts'

const A = '/docs/a.txt'

onEachStorage((product) => {
  const call = (...args: Parameters<typeof dav> extends [unknown, ...infer Rest] ? Rest : never) => dav(product(), ...args)
  const status = (...args: Parameters<typeof dav> extends [unknown, ...infer Rest] ? Rest : never) => davStatus(product(), ...args)

  describe('a lock', () => {
    it('keeps everybody from changing the file, whichever way they come, and so its holder without its token', async () => {
      await product().seed({ [A]: 'a', '/other.txt': 'o', '/docs/sub/b.txt': 'b' })
      await product().add('bob')
      await lock(product(), A, { as: 'bob' })
      const before = await product().snapshot()
      for (const who of ['ann', 'bob', 'root']) {
        const someone = product().as(who)
        const transfer = (from: string, to: string, action: 'copy' | 'rename') =>
          someone.resources.transfer({ params: { path: at(from) }, query: { action, destination: to, override: 'true' } })
        const tries = [
          () => someone.resources.save({ params: { path: at(A) }, body: 'x' }),
          () => someone.resources.upload({ params: { path: at(A) }, query: { override: 'true' }, body: 'x' }),
          () => someone.resources.remove({ params: { path: at(A) }, query: {} }),
          () => someone.resources.remove({ params: { path: at('/docs') }, query: {} }),
          () => transfer(A, '/moved.txt', 'rename'),
          () => transfer('/docs', '/papers', 'rename'),
          () => transfer('/other.txt', A, 'copy'),
          () => transfer('/other.txt', A, 'rename'),
        ]
        for (const tried of tries) expect(await refusal(tried())).toBe('locked')
        const bulk = await someone.bulk.upload({ body: `${bulkHead([{ path: A, size: 1, override: true }])}x` })
        expect(JSON.stringify(bulk)).toContain('locked')
        for (const method of ['PUT', 'DELETE', 'PROPPATCH']) {
          const body = method === 'PROPPATCH' ? PATCH : method === 'PUT' ? 'x' : undefined
          expect([method, await status(`${method} ${A}`, { as: who, ...(body !== undefined && { body }) })]).toEqual([method, 423])
        }
        expect(await status(`MOVE ${A}`, { as: who, headers: { destination: '/dav/m.txt' } })).toBe(423)
      }
      expect(await product().snapshot()).toEqual(before)
      expect(await status('PUT /docs/new.txt', { body: 'beside it' })).toBe(201)
    })

    it('refuses an upload when it is announced, not after its last byte', async () => {
      await product().seed({ [A]: 'a' })
      await lock(product(), A)
      const announced = product()
        .as('root')
        .tus.create({ params: { path: at(A) }, query: { override: 'true' }, headers: { 'upload-length': '3000000000' } })
      expect(await refusal(announced)).toBe('locked')
      expect(await product().as('root').tus.unfinished({})).toEqual([])
    })

    it('lets its holder change the file with the token, and nobody else with the same one', async () => {
      await product().seed({ [A]: 'a' })
      await product().add('bob')
      const token = await lock(product(), A, { as: 'bob' })
      const submitted = { if: `(${token})` }
      expect(await status(`PUT ${A}`, { as: 'bob', body: 'b', headers: submitted })).toBe(204)
      expect(await status(`PUT ${A}`, { as: 'ann', body: 'stolen', headers: submitted })).toBe(423)
      expect(await status(`UNLOCK ${A}`, { as: 'ann', headers: { 'lock-token': token } })).toBe(403)
      expect(await product().read(A)).toBe('b')
      expect(await status(`UNLOCK ${A}`, { as: 'bob', headers: { 'lock-token': token } })).toBe(204)
      expect(await status(`PUT ${A}`, { body: 'free' })).toBe(204)
    })

    it('tells its token to its holder only, and to others who holds it', async () => {
      await product().seed({ [A]: 'a' })
      await product().add('bob')
      const token = (await lock(product(), A, { as: 'bob' })).slice(1, -1)
      const seen = async (as: string) =>
        (await call(`PROPFIND ${A}`, { as, headers: { depth: '0' }, body: propfindBody('lockdiscovery') })).text()
      expect([(await seen('bob')).includes(token), (await seen('ann')).includes(token)]).toEqual([true, false])
      expect(await seen('ann')).toContain('<owner xmlns="DAV:">Word</owner>')
      const response = await product().ask(`/api/resources${A}`, {
        method: 'PUT',
        who: 'ann',
        body: 'x',
        headers: { accept: 'application/json' },
      })
      expect([response.status, await response.json()]).toMatchObject([
        423,
        { code: 'locked', detail: { by: 'user', holder: 'bob', path: A } },
      ])
    })

    it('ends when its time is over, and can be renewed before that; a restart does not end it', async () => {
      await product().seed({ [A]: 'a' })
      product().stopClock()
      const token = await lock(product(), A, { headers: { timeout: 'Second-600' } })
      product().restart()
      product().pass(590_000)
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(423)
      expect(await status(`LOCK ${A}`, { headers: { if: `(${token})`, timeout: 'Infinite, Second-4100000000' } })).toBe(200)
      product().pass(3_599_000)
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(423)
      product().pass(2000)
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(204)
    })

    it('can be shared, and then one token of several is enough', async () => {
      await product().seed({ [A]: 'a' })
      await product().add('bob')
      const [anns] = [await lock(product(), A, { body: SHARED_LOCK_BODY }), await lock(product(), A, { as: 'bob', body: SHARED_LOCK_BODY })]
      expect(await status(`LOCK ${A}`, { body: LOCK_BODY, headers: { depth: '0' } })).toBe(423)
      expect(await status(`PUT ${A}`, { body: 'x', headers: { if: `(${anns})` } })).toBe(204)
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(423)
    })

    it('of a folder is about its members; with everything in it also about what is below', async () => {
      await product().seed({ [A]: 'a', '/docs/sub/b.txt': 'b' })
      const alone = await lock(product(), '/docs', { headers: { depth: '0' } })
      expect([await status(`PUT ${A}`, { body: 'x' }), await status('PUT /docs/new.txt', { body: 'x' })]).toEqual([204, 423])
      expect(await status('PUT /docs/sub/new.txt', { body: 'x' })).toBe(201)
      expect(
        await refusal(
          product()
            .as('ann')
            .resources.upload({ params: { path: at('/docs/far/away.txt') }, query: {}, body: 'x' }),
        ),
      ).toBe('locked')
      await call('UNLOCK /docs', { headers: { 'lock-token': alone } })
      const token = await lock(product(), '/docs', { headers: { depth: 'infinity' } })
      expect(await status('PUT /docs/sub/b.txt', { body: 'x' })).toBe(423)
      expect(await status('PUT /docs/sub/b.txt', { body: 'x', headers: { if: `</dav/docs> (${token})` } })).toBe(204)
      expect(await status('LOCK /docs/sub/b.txt', { body: LOCK_BODY, headers: { depth: '0' } })).toBe(423)
    })

    it('ends with the file at its path: moved, or removed by who may', async () => {
      await product().seed({ [A]: 'a' })
      const token = await lock(product(), A)
      expect(await status(`MOVE ${A}`, { headers: { destination: '/dav/b.txt', if: `(${token})` } })).toBe(201)
      expect(await status('PUT /b.txt', { body: 'free' })).toBe(204)
      expect(await status(`PUT ${A}`, { body: 'also free' })).toBe(201)
    })

    it('of an address without a file makes an empty one', async () => {
      await product().seed({ '/docs/': '' })
      expect(await status('LOCK /docs/new.txt', { body: LOCK_BODY, headers: { depth: '0' } })).toBe(201)
      expect([await product().read('/docs/new.txt'), await status('PUT /docs/new.txt', { body: 'x' })]).toEqual(['', 423])
      expect(await status('LOCK /none/new.txt', { body: LOCK_BODY, headers: { depth: '0' } })).toBe(409)
    })

    it('is removed by its holder or an administrator, who are told of it', async () => {
      await product().seed({ [A]: 'a' })
      await product().add('bob')
      const path = { params: { path: at(A) } }
      await lock(product(), A, { as: 'bob' })
      expect(await product().as('ann').locks.list(path)).toMatchObject([
        { path: A, holder: 'bob', mine: false, shared: false, deep: false },
      ])
      expect(await refusal(product().as('ann').locks.remove(path))).toBe('forbidden')
      await product().as('root').locks.remove(path)
      await lock(product(), A, { as: 'bob' })
      await product()
        .as('bob')
        .locks.remove({ params: { path: at('/docs') } })
      expect(await product().as('ann').locks.list(path)).toEqual([])
      expect(await status(`PUT ${A}`, { body: 'free' })).toBe(204)
    })

    it('needs the right to change the file, and to see all of a folder', async () => {
      await product().seed({ [A]: 'a', '/docs/secret/s.txt': 's' })
      await product().add('reader', { may: { ...NOTHING, download: true } })
      await product().add('part', { rules: [{ regex: false, allow: false, path: '/docs/secret', regexp: null }] })
      const depth = { headers: { depth: 'infinity' }, body: LOCK_BODY }
      expect(await status(`LOCK ${A}`, { as: 'reader', ...depth })).toBe(403)
      expect(await status('LOCK /docs/new.txt', { as: 'reader', ...depth })).toBe(403)
      expect([await status('LOCK /docs', { as: 'part', ...depth }), await status('LOCK /', depth)]).toEqual([403, 403])
      expect(await status('LOCK /docs', { as: 'part', headers: { depth: '0' }, body: LOCK_BODY })).toBe(200)
    })

    it('dav-attack-6, dav-attack2-8: is one of so many that several people can share', async () => {
      await product().seed({ [A]: 'a' })
      const deep = { body: SHARED_LOCK_BODY, headers: { depth: 'infinity' } }
      for (let n = 0; n < 5; n++) expect(await status('LOCK /docs', deep)).toBe(200)
      expect([await status('LOCK /docs', deep), await status(`LOCK ${A}`, deep)]).toEqual([429, 429])
    })

    it('dav-attack-13: protects nothing when its account is disabled', async () => {
      await product().seed({ [A]: 'a' })
      const { id } = await product().add('bob')
      await lock(product(), A, { as: 'bob' })
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(423)
      await product()
        .as('root')
        .people.change({ body: { ids: [id], change: { action: 'disable' } } })
      expect(await status(`PUT ${A}`, { body: 'x' })).toBe(204)
    })

    it('A4-4: is one of so many that a person can hold', async () => {
      await product().seed({ '/docs/': '' })
      const rows = Array.from({ length: MAX_LOCKS }, (_, i) => ({
        id: crypto.randomUUID(),
        place: `/docs/${i}`,
        deep: 0,
        exclusive: 1,
        user_id: 2,
        owner: '',
        created_at: 0,
        seconds: 3600,
        expires_at: Date.now() + HOUR_MS,
      }))
      const { id } = await product().account('ann')
      for (const row of rows)
        await product()
          .db.insertInto('dav_locks')
          .values({ ...row, user_id: id })
          .execute()
      expect(await status('LOCK /docs/one-more', { body: LOCK_BODY, headers: { depth: '0' } })).toBe(429)
      expect(await product().snapshot()).not.toHaveProperty('/docs/one-more')
    })
  })
})

const PATCH = '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>'
const NOTHING = { admin: false, execute: false, create: false, rename: false, modify: false, delete: false, share: false, download: false }
