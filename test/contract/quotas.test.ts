import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { BULK_MEDIA_TYPE, bulkHead } from '../../src/shared/contract/bulk.ts'
import type { Quota } from '../../src/shared/contract/quotas.ts'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { EVERYTHING, onEachStorage, type Product } from './world.ts'

setDefaultTimeout(60_000)

onEachStorage((product) => {
  const limit = async (who: string, bytes: number | null, files: number | null = null) =>
    set(product(), await user(product(), who), bytes, files)
  const used = async (who = 'ben') => usedBy(product(), who)
  const post = (path: string, body: Bun.BodyInit, { who = 'ben', headers = {} }: { who?: string; headers?: Record<string, string> } = {}) =>
    product().ask(`/api/resources${path}?override=true`, {
      method: 'POST',
      who,
      body,
      headers: { accept: 'application/json', ...(typeof body === 'string' && { 'content-length': String(body.length) }), ...headers },
    })
  const change = (address: string, method: string, who = 'ben') =>
    product().ask(`/api/resources${address}`, { method, who, headers: { accept: 'application/json' } })

  /** `ben` has a folder of his own. */
  async function withBen(bytes: number | null, files: number | null = null): Promise<void> {
    await product().seed({ '/home/ben/': '', '/elsewhere/': '' })
    await product().add('ben', { scope: '/home/ben' })
    if (bytes !== null || files !== null) await limit('ben', bytes, files)
  }

  describe('a quota', () => {
    it('counts what is in the folder already, and refuses what does not fit, with 507 and the numbers', async () => {
      await product().seed({ '/home/ben/deep/old.txt': '12345' })
      await withBen(10)
      expect(await used()).toEqual({ bytes: 5, files: 2 })
      expect((await post('/a.txt', '12345')).status).toBe(200)
      const refused = await post('/b.txt', '1')
      expect(refused.status).toBe(507)
      expect(await refused.json()).toEqual({
        code: 'quota-exceeded',
        detail: { of: 'user', name: '', what: 'bytes', limit: 10, used: 10 },
      })
      expect(await used()).toEqual({ bytes: 10, files: 3 })
      expect(await product().storage.staged()).toEqual([])
    })

    it('counts files and folders', async () => {
      await withBen(null, 3)
      expect((await post('/new/deep/', '')).status).toBe(200)
      expect((await post('/new/a.txt', 'a')).status).toBe(200)
      const refused = await post('/new/b.txt', 'b')
      expect([refused.status, await refused.json()]).toEqual([
        507,
        { code: 'quota-exceeded', detail: { of: 'user', name: '', what: 'files', limit: 3, used: 3 } },
      ])
      expect((await post('/more/', '')).status).toBe(507)
      expect((await post('/new/a.txt', 'longer')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 6, files: 3 })
    })

    it('lets go of what is deleted, and takes back what comes back', async () => {
      await withBen(10)
      await post('/docs/a.txt', '123456')
      expect((await change('/docs', 'DELETE')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 0, files: 0 })
      expect((await post('/b.txt', '1234567')).status).toBe(200)
      const [entry] = (await product().as('ben').trash.list({ query: {} })).entries
      expect(
        await refusal(
          product()
            .as('ben')
            .trash.restore({ params: { id: entry?.id ?? '' }, body: {} }),
        ),
      ).toBe('quota-exceeded')
      await change('/b.txt', 'DELETE')
      await product()
        .as('ben')
        .trash.restore({ params: { id: entry?.id ?? '' }, body: {} })
      expect(await used()).toEqual({ bytes: 6, files: 2 })
      await change('/docs?permanent=true', 'DELETE')
      expect(await used()).toEqual({ bytes: 0, files: 0 })
    })

    it('lets undo and redo count as what they do', async () => {
      await withBen(10)
      const group = crypto.randomUUID()
      const headers = { 'x-satchel-operation': group }
      await post('/a.txt', '123456', { headers })
      await product().as('ben').operations.undo({ params: { group } })
      expect(await used()).toEqual({ bytes: 0, files: 0 })
      await post('/b.txt', '12345')
      await product()
        .as('ben')
        .operations.redo({ params: { group } })
        .catch(() => undefined)
      expect(await used()).toEqual({ bytes: 5, files: 1 })
      await change('/b.txt', 'DELETE')
      await product().as('ben').operations.redo({ params: { group } })
      expect(await used()).toEqual({ bytes: 6, files: 1 })
    })

    it('counts only the difference of a replacement, and of a version that comes back', async () => {
      await withBen(10)
      await post('/a.txt', '12345678')
      expect((await product().ask('/api/resources/a.txt', { method: 'PUT', who: 'ben', body: '1234567890' })).status).toBe(200)
      expect(await used()).toEqual({ bytes: 10, files: 1 })
      expect((await product().ask('/api/resources/a.txt', { method: 'PUT', who: 'ben', body: '12345678901' })).status).toBe(507)
      expect(await product().read('/home/ben/a.txt')).toBe('1234567890')
      await product().ask('/api/resources/a.txt', { method: 'PUT', who: 'ben', body: '1' })
      expect(await used()).toEqual({ bytes: 1, files: 1 })
      await post('/b.txt', '12')
      const { versions } = await product()
        .as('ben')
        .versions.list({ params: { path: at('/a.txt') } })
      const last = versions.find(({ size }) => size === 8)
      expect(
        await refusal(
          product()
            .as('ben')
            .versions.restore({ params: { path: at('/a.txt') }, query: { id: last?.id ?? '' } }),
        ),
      ).toBe('done')
      expect(await used()).toEqual({ bytes: 10, files: 2 })
    })

    it('is asked for copies and moves into its folder, and not for moves within', async () => {
      await withBen(10)
      await product().seed({ '/elsewhere/big/x.txt': '123456', '/elsewhere/big/y.txt': '12345' })
      await post('/docs/a.txt', '123456')
      expect((await change('/docs?action=copy&destination=/docs2', 'PATCH')).status).toBe(507)
      expect(await used()).toEqual({ bytes: 6, files: 3 })
      expect((await change('/docs?action=rename&destination=/docs3', 'PATCH')).status).toBe(200)
      expect((await change('/docs2', 'DELETE')).status).toBe(200)
      // An administrator is not limited by it, but what is brought there counts.
      expect((await change('/elsewhere/big?action=rename&destination=/home/ben/big', 'PATCH', 'root')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 17, files: 5 })
      expect((await post('/c.txt', '1')).status).toBe(507)
      expect((await change('/home/ben/big?action=rename&destination=/elsewhere/big', 'PATCH', 'root')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 6, files: 2 })
    })

    it('that is lower than what is there deletes nothing, and refuses only what is added', async () => {
      await withBen(null)
      await post('/a.txt', '1234567890')
      await post('/b.txt', '1234567890')
      await limit('ben', 5)
      expect(await used()).toEqual({ bytes: 20, files: 2 })
      expect((await post('/c.txt', '1')).status).toBe(507)
      expect((await post('/a.txt', '123')).status).toBe(200)
      expect((await change('/a.txt?action=rename&destination=/z.txt', 'PATCH')).status).toBe(200)
      expect((await change('/b.txt', 'DELETE')).status).toBe(200)
      expect((await post('/c.txt', '12')).status).toBe(200)
      await limit('ben', null)
      expect((await post('/d.txt', '1234567890')).status).toBe(200)
    })

    it('of a group counts the folders of all members together, each once', async () => {
      await withBen(null)
      await product().seed({ '/home/ben/inner/': '', '/home/eve/': '' })
      await product().add('eve', { scope: '/home/eve' })
      await product().add('inner', { scope: '/home/ben/inner' })
      const root = product().as('root')
      const { id } = await root.groups.create({ body: { name: 'team', perm: NO_RIGHTS } })
      await set(product(), { kind: 'group', id }, 10, null)
      for (const name of ['ben', 'eve', 'inner'])
        await root.groups.addMember({ params: { id: String(id), user: String((await product().account(name)).id) }, body: {} })
      expect((await post('/inner/a.txt', '123456')).status).toBe(200)
      expect((await post('/a.txt', '1234', { who: 'eve' })).status).toBe(200)
      const refused = await post('/b.txt', '1', { who: 'inner' })
      expect(await refused.json()).toMatchObject({ detail: { of: 'group', name: 'team', limit: 10, used: 10 } })
      expect(await used('inner')).toEqual({ bytes: 10, files: 3 })
      await root.groups.removeMember({ params: { id: String(id), user: String((await product().account('eve')).id) }, body: {} })
      expect((await post('/b.txt', '1234', { who: 'inner' })).status).toBe(200)
      await root.groups.remove({ params: { id: String(id) }, body: {} })
      expect(await root.quotas.list({})).toEqual([])
    })

    it('of everybody counts all that is served, and the strictest decides', async () => {
      await withBen(8)
      await set(product(), { kind: 'everybody', id: 0 }, 12, null)
      expect((await post('/home/x.txt', '12345', { who: 'root' })).status).toBe(200)
      expect((await post('/a.txt', '12345678')).status).toBe(507)
      expect((await post('/a.txt', '1234567')).status).toBe(200)
      expect((await post('/x.txt', '1', { who: 'root' })).status).toBe(507)
      expect(await product().as('ben').quotas.mine({})).toMatchObject([
        { kind: 'user', bytes: { limit: 8, used: 7 } },
        { kind: 'everybody', bytes: { limit: 12, used: 12 } },
      ])
    })

    it('is the total of /api/usage, if less is free than on the disk', async () => {
      const usage = async () => (await product().ask('/api/usage/', { who: 'ben' })).json()
      await withBen(null)
      const disk = await usage()
      await limit('ben', 100)
      await post('/a.txt', '12345')
      expect(await usage()).toEqual({ total: 100, used: 5 })
      await limit('ben', 10 ** 15)
      expect(Object.keys(disk as object)).toEqual(['total', 'used'])
      expect(await usage()).toMatchObject({ total: (disk as { total: number }).total })
    })

    it('ends with its account', async () => {
      await withBen(10)
      await product().world.users.remove((await product().account('ben')).id)
      expect(await product().as('root').quotas.list({})).toEqual([])
    })

    it('is for accounts and groups that exist, and noted', async () => {
      expect(await refusal(set(product(), { kind: 'user', id: 9999 }, 1, null))).toBe('not-found')
      expect(await refusal(set(product(), { kind: 'everybody', id: 0 }, -1, null))).toBe('invalid-input')
      expect(await refusal(set(product(), { kind: 'everybody', id: 0 }, 1.5, null))).toBe('invalid-input')
      expect(
        await refusal(
          product()
            .as('root')
            .quotas.count({ body: { who: { kind: 'everybody', id: 0 } } }),
        ),
      ).toBe('not-found')
      await withBen(10)
      const { entries } = await product()
        .as('root')
        .audit.list({ query: { kind: 'quota-changed' } })
      expect(entries.map(({ who, subject, details }) => ({ who, subject, details }))).toEqual([
        { who: 'root', subject: 'ben', details: [{ place: 'bytes', before: null, after: '10' }] },
      ])
    })
  })

  describe('what is announced', () => {
    const announce = (name: string, length: number, headers = {}) =>
      product().ask(`/api/tus/${name}?override=true`, {
        method: 'POST',
        who: 'ben',
        headers: { 'upload-length': String(length), 'tus-resumable': '1.0.0', accept: 'application/json', ...headers },
      })
    const patch = (name: string, offset: number, body: string) =>
      product().ask(`/api/tus/${name}`, {
        method: 'PATCH',
        who: 'ben',
        body,
        headers: { 'content-type': OFFSET_MEDIA_TYPE, 'upload-offset': String(offset), 'content-length': String(body.length) },
      })

    it('by tus is reserved until the upload ends', async () => {
      await withBen(10)
      expect((await announce('a.txt', 11)).status).toBe(507)
      expect((await announce('a.txt', 6)).status).toBe(201)
      expect(await used()).toEqual({ bytes: 6, files: 1 })
      expect((await announce('b.txt', 5)).status).toBe(507)
      expect((await post('/b.txt', '12345')).status).toBe(507)
      expect((await announce('b.txt', 4)).status).toBe(201)
      expect((await patch('a.txt', 0, '123456')).status).toBe(204)
      expect(await used()).toEqual({ bytes: 10, files: 2 })
      expect((await product().ask('/api/tus/b.txt', { method: 'DELETE', who: 'ben' })).status).toBe(204)
      expect((await announce('b.txt', 4)).status).toBe(201)
      expect((await patch('b.txt', 0, '1234')).status).toBe(204)
      expect((await announce('c.txt', 0)).status).toBe(201)
      expect(await used()).toEqual({ bytes: 10, files: 3 })
      expect(await reservations(product())).toEqual([])
    })

    it('by a refused announcement leaves nothing behind', async () => {
      await withBen(10)
      await announce('a.txt', 11)
      expect(await product().db.selectFrom('uploads').selectAll().execute()).toEqual([])
      expect(await reservations(product())).toEqual([])
    })

    it('replaces a file by another one that needs no more room', async () => {
      await withBen(10)
      await post('/a.txt', '1234567890')
      expect((await announce('a.txt', 10)).status).toBe(201)
      expect((await patch('a.txt', 0, 'abcdefghij')).status).toBe(204)
      expect(await used()).toEqual({ bytes: 10, files: 1 })
    })

    it('by tus is not free of charge because it began before the quota', async () => {
      await withBen(null)
      await announce('a.txt', 6)
      await limit('ben', 5)
      expect((await patch('a.txt', 0, '123456')).status).toBe(507)
      expect(await product().storage.stat(at('/home/ben/a.txt'))).toBe(null)
      await limit('ben', 6)
      expect((await patch('a.txt', 6, '')).status).toBe(204)
      expect(await used()).toEqual({ bytes: 6, files: 1 })
    })

    it('in one request with others is refused before their bytes', async () => {
      await withBen(10)
      const send = (sizes: number[]) => {
        const body =
          bulkHead(sizes.map((size, index) => ({ path: `/f${index}`, size, override: true }))) +
          'x'.repeat(sizes.reduce((a, b) => a + b, 0))
        return product().ask('/api/bulk', {
          method: 'POST',
          who: 'ben',
          body,
          headers: { 'content-type': BULK_MEDIA_TYPE, 'content-length': String(body.length), accept: 'application/json' },
        })
      }
      expect((await send([5, 6])).status).toBe(507)
      expect(await used()).toEqual({ bytes: 0, files: 0 })
      expect(await (await send([5, 5])).json()).toEqual({ failures: [null, null] })
      expect((await send([4, 6])).status).toBe(507)
      expect(await (await send([4, 5])).json()).toEqual({ failures: [null, null] })
      expect(await (await send([1, 6])).json()).toEqual({ failures: [null, null] })
      expect(await used()).toEqual({ bytes: 7, files: 2 })
      expect(await reservations(product())).toEqual([])
    })

    it('by nobody is refused when it no longer fits, and the file is not there', async () => {
      await withBen(10_000_000)
      const chunks = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let part = 0; part < 11; part++) controller.enqueue(new Uint8Array(1_000_000))
          controller.close()
        },
      })
      const refused = await post('/a.bin', chunks).catch(() => null)
      expect(refused === null ? 507 : refused.status).toBe(507)
      expect(await product().storage.stat(at('/home/ben/a.bin'))).toBe(null)
      expect(await used()).toEqual({ bytes: 0, files: 0 })
      const short = new Blob([new Uint8Array(9_999_999)]).stream()
      expect((await post('/b.bin', short)).status).toBe(200)
      expect(await used()).toEqual({ bytes: 9_999_999, files: 1 })
      expect(await reservations(product())).toEqual([])
    })

    it('through a drop box counts for its owner, whose numbers no visitor learns', async () => {
      await withBen(10)
      await post('/box/', '')
      const { hash } = await product()
        .as('ben')
        .shares.create({ params: { path: at('/box') }, body: JSON.stringify({ rights: 'drop' }) })
      const drop = (name: string, text: string) =>
        product().ask(`/api/public/tus/${hash}/${crypto.randomUUID().replaceAll('-', '')}/${name}`, {
          method: 'POST',
          body: text,
          headers: {
            'upload-length': String(text.length),
            'content-type': OFFSET_MEDIA_TYPE,
            accept: 'application/json',
            'content-length': String(text.length),
          },
        })
      expect((await drop('a.txt', '123456')).status).toBe(201)
      const refused = await drop('b.txt', '12345')
      expect([refused.status, await refused.json()]).toEqual([507, { code: 'storage-full', detail: {} }])
      expect((await drop('a.txt', '1234')).status).toBe(201)
      expect(await used()).toEqual({ bytes: 10, files: 3 })
    })
  })

  describe('a hundred at once', () => {
    it('never get in more than fits, and not less', async () => {
      await withBen(500)
      const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => post(`/f${index}`, '1234567890')))
      expect(answers.filter(({ status }) => status === 200).length).toBe(50)
      expect(answers.filter(({ status }) => status === 507).length).toBe(50)
      expect(await used()).toEqual({ bytes: 500, files: 50 })
      expect(await counted(product(), 'ben')).toEqual({ bytes: 500, files: 50 })
      expect(await reservations(product())).toEqual([])
    })

    it('count once that replace one file', async () => {
      await withBen(1000)
      await Promise.all(Array.from({ length: 40 }, (_, index) => post('/same', 'x'.repeat(index + 1))))
      const { bytes } = await used()
      expect(bytes).toBe((await product().read('/home/ben/same')).length)
      expect(await counted(product(), 'ben')).toEqual({ bytes, files: 1 })
    })

    it('are counted right while files come, go and move', async () => {
      await withBen(3000)
      await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          await post(`/d${index}/a`, 'x'.repeat(20 + index))
          await change(`/d${index}?action=copy&destination=/e${index}`, 'PATCH')
          await change(`/d${index}/a?action=rename&destination=/e${index}/b`, 'PATCH')
          if (index % 3 === 0) await change(`/e${index}`, 'DELETE')
          if (index % 3 === 1) await change(`/e${index}?permanent=true`, 'DELETE')
        }),
      )
      const now = await used()
      expect(now.files).toBeGreaterThan(0)
      expect(await counted(product(), 'ben')).toEqual(now)
    })
  })

  describe('what other programs change', () => {
    it('is counted when it was noticed, and at the latest when somebody counts', async () => {
      await withBen(10)
      await product().seed({ '/home/ben/outside.txt': '1234567' })
      expect(await used()).toEqual({ bytes: 0, files: 0 })
      await product().world.tidy()
      product().pass(25 * 3600_000)
      await product().world.tidy()
      expect(await used()).toEqual({ bytes: 7, files: 1 })
    })

    it('is counted before somebody is refused because of it', async () => {
      await withBen(10)
      await post('/a.txt', '1234567890')
      await product().storage.remove(at('/home/ben/a.txt'))
      product().world.bus.announce('files.found', {
        changes: [{ path: at('/home/ben/a.txt'), change: 'gone', folder: false, first: Date.now() + 600_000, last: Date.now() + 600_000 }],
      })
      await product().world.journal.settled()
      await product().world.outside.settled()
      expect((await post('/b.txt', '1234567890')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 10, files: 1 })
    })

    it('is seen in a folder that an account gets', async () => {
      await withBen(10)
      await product().seed({ '/other/x.txt': '12345678' })
      await product().setScope('ben', '/other')
      expect((await post('/y.txt', '123')).status).toBe(507)
      expect((await post('/y.txt', '12')).status).toBe(200)
      expect(await used()).toEqual({ bytes: 10, files: 2 })
    })
  })

  describe('a server that dies', () => {
    it('between the disk and the sum leaves what the next one counts', async () => {
      await withBen(100)
      await post('/a.txt', '12345')
      const { id } = await product().account('ben')
      const row = {
        id: crypto.randomUUID(),
        subject: `user ${id}`,
        bytes: 7,
        files: 1,
        publishing: 1,
        server: 'dead',
        until: Date.now() + 1000,
      }
      await product().db.insertInto('quota_changes').values(row).execute()
      await product().seed({ '/home/ben/b.txt': '1234567' })
      expect(await used()).toEqual({ bytes: 12, files: 2 })
      product().pass(2000)
      await product().world.tidy()
      expect(await used()).toEqual({ bytes: 12, files: 2 })
      expect(await reservations(product())).toEqual([])
    })
  })

  describe('people', () => {
    it('see their own quota, and only administrators those of others', async () => {
      await withBen(10)
      for (const [method, address] of [
        ['GET', '/api/quotas'],
        ['PUT', '/api/quotas'],
        ['POST', '/api/quotas/count'],
      ] as const)
        expect((await product().ask(address, { method, who: 'ben', ...(method !== 'GET' && { body: '{}' }) })).status).toBe(403)
      await product().add('eve', { may: EVERYTHING, scope: '/elsewhere' })
      expect(await product().as('eve').quotas.mine({})).toEqual([])
    })
  })
})

async function user(product: Product, who: string): Promise<Quota['who']> {
  return { kind: 'user', id: (await product.account(who)).id }
}

async function set(product: Product, who: Quota['who'], bytes: number | null, files: number | null): Promise<void> {
  await product.as('root').quotas.set({ body: { who, bytes, files } })
  if (bytes !== null || files !== null) await product.as('root').quotas.count({ body: { who } })
}

/** What the quota of an account, or of the only group, holds, with what is reserved. */
async function usedBy(product: Product, who: string): Promise<{ bytes: number; files: number }> {
  // Counts what was removed a moment ago.
  const { id } = await product.account(who)
  const own = await product.world.quotas.of({ userId: id })
  const group = await product.db.selectFrom('groups').select('id').executeTakeFirst()
  const subject = own.some(({ kind }) => kind === 'user') ? `user ${id}` : `group ${group?.id}`
  const row = await product.db.selectFrom('quotas').selectAll().where('subject', '=', subject).executeTakeFirst()
  const open = (await reservations(product)).filter((one) => one.subject === subject)
  const more = (of: 'bytes' | 'files') => open.reduce((sum, one) => sum + one[of], 0)
  return { bytes: (row?.used_bytes ?? NaN) + more('bytes'), files: (row?.used_files ?? NaN) + more('files') }
}

/** The same, from the disk. */
async function counted(product: Product, who: string): Promise<{ bytes: number; files: number }> {
  await product.as('root').quotas.count({ body: { who: await user(product, who) } })
  return usedBy(product, who)
}

/** Those of an upload end with it. */
async function reservations({ db }: Product) {
  const uploads = new Set(
    (await db.selectFrom('uploads').select('id').where('lease', 'is distinct from', 'finished').execute()).map(({ id }) => id),
  )
  return (await db.selectFrom('quota_changes').selectAll().execute()).filter(({ id, server }) => server !== '' || uploads.has(id))
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  )
}
