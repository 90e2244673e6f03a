import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { listed, set as setTrash } from './trash-calls.ts'
import { until } from './until.ts'
import { keptIds, replace, setVersions, versionsOf } from './versions-calls.ts'
import { onEachStorage, type Product, startProduct } from './world.ts'

setDefaultTimeout(120_000)

const MB = 1_000_000
const TUS = { 'tus-resumable': TUS_VERSION }

onEachStorage((product) => {
  const limit = (who: string, bytes: number | null, files: number | null = null) => limitOf(product(), who, { bytes, files })
  const used = (who: string) => usedBy(product(), who)
  const post = (who: string, path: string, body: string | Uint8Array<ArrayBuffer>) =>
    status(product(), `${addressOf(path)}?override=true`, { method: 'POST', who, body })
  const call = (who: string, method: string, path: string) => status(product(), addressOf(path), { method, who })

  /** `ann` and `eve` have folders of their own, and `eve` may change what is in the documents of `ann`. @returns the id of the share */
  async function prepare(): Promise<string> {
    await product().seed({ '/home/ann/docs/': '', '/home/eve/': '', '/home/bob/': '' })
    await product().setScope('ann', '/home/ann')
    await product().add('eve', { scope: '/home/eve' })
    await product().add('bob', { scope: '/home/bob' })
    const { id } = await product().account('eve')
    const share = await product()
      .as('ann')
      .peopleShares.create({ params: { path: at('/docs') }, body: { who: { kind: 'user', id }, role: 'editor' } })
    return share.id
  }

  describe('people-attack-2: renames that replace each other’s source', () => {
    it('do not make the sum sink', async () => {
      await prepare()
      await limit('ann', 10 * MB)
      for (let round = 0; round < 12; round++) {
        for (const name of ['f', 'g']) await post('ann', `/${name}`, 'x'.repeat(1000 + round))
        await Promise.all(
          ['f/g', 'g/f', 'f/g', 'g/f'].map((pair) => {
            const [from, to] = pair.split('/')
            return call('ann', 'PATCH', `/${from}?action=rename&destination=/${to}&override=true`)
          }),
        )
      }
      const now = await used('ann')
      expect(now).toEqual(await counted(product(), 'ann'))
    })
  })

  describe('people-attack-4: what a recipient adds to a share', () => {
    const staged = async (who: string, id: string, name: string, length: number, method = 'POST') =>
      status(product(), `/with-me/${id}/api/tus/${name}`, { method, who, headers: { ...TUS, 'upload-length': String(length) } })

    it('is limited by the quota that counts it, whose numbers they do not learn, and by their own', async () => {
      const id = await prepare()
      await limit('ann', 10, 8)
      const into = (path: string) => `/with-me/${id}/api/resources${path}`
      expect(await post('eve', into('/a'), '123456')).toBe(200)
      const refused = await product().ask(into('/b'), {
        method: 'POST',
        who: 'eve',
        body: '12345',
        headers: { accept: 'application/json' },
      })
      expect([refused.status, await refused.json()]).toEqual([507, { code: 'storage-full', detail: {} }])
      expect(await staged('eve', id, 'b', 5)).toBe(507)
      expect(await call('eve', 'PATCH', `${into('/a')}?action=copy&destination=/copy`)).toBe(507)
      expect(await staged('eve', id, 'c', 4)).toBe(201)
      expect(await used('ann')).toEqual({ bytes: 10, files: 3 })
      expect(await status(product(), `/with-me/${id}/api/tus/c`, { method: 'DELETE', who: 'eve', headers: TUS })).toBe(204)
      await limit('eve', 2)
      expect(await post('eve', into('/d'), '123')).toBe(507)
      expect(await post('eve', into('/d'), '12')).toBe(200)
      expect(await used('ann')).toEqual(await counted(product(), 'ann'))
    })

    it('is limited for visitors of a link, too, also where its owner has no quota', async () => {
      await product().seed({ '/home/ben/': '' })
      await product().add('ben', { scope: '/home/ben' })
      await limit('ben', 10)
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/home/ben') }, body: JSON.stringify({ rights: 'drop' }) })
      const address = (upload: string) => `/api/public/tus/${hash}/${upload}/f`
      const send = (length: number) =>
        status(product(), address(crypto.randomUUID()), {
          method: 'POST',
          body: 'x'.repeat(length),
          headers: { ...TUS, 'upload-length': String(length), 'content-type': OFFSET_MEDIA_TYPE },
        })
      expect([await send(11), await send(10), await send(1)]).toEqual([507, 201, 507])
      expect(await used('ben')).toEqual({ bytes: 10, files: 1 })
    })
  })

  describe('people-attack-6: a visitor who announces and sends nothing', () => {
    const drop = async (more = {}) =>
      (
        await product()
          .as('ann')
          .shares.create({ params: { path: at('/docs') }, body: JSON.stringify({ rights: 'drop', ...more }) })
      ).hash
    const secret = () => crypto.randomUUID().replaceAll('-', '')
    const announce = (hash: string, upload: string, length: number) =>
      status(product(), `/api/public/tus/${hash}/${upload}/f`, { method: 'POST', headers: { ...TUS, 'upload-length': String(length) } })
    const append = (hash: string, upload: string, offset: number, body: Bun.BodyInit) =>
      product().ask(`/api/public/tus/${hash}/${upload}/f`, {
        method: 'PATCH',
        body,
        headers: { ...TUS, 'content-type': OFFSET_MEDIA_TYPE, 'upload-offset': String(offset) },
      })

    it('reserves nothing, and what does not fit is refused in advance', async () => {
      await prepare()
      await limit('ann', 10 * MB, 10)
      const hash = await drop()
      expect(await announce(hash, secret(), 10 * MB + 1)).toBe(507)
      for (let times = 0; times < 20; times++) expect(await announce(hash, secret(), 10 * MB)).toBe(201)
      expect(await used('ann')).toEqual({ bytes: 0, files: 1 })
      expect(await post('ann', '/mine', new Uint8Array(9 * MB))).toBe(200)
    })

    it('reserves what has arrived, and a small part of the rest while more is arriving', async () => {
      await prepare()
      await limit('ann', 10 * MB)
      const hash = await drop()
      const upload = secret()
      expect(await announce(hash, upload, 9 * MB)).toBe(201)
      expect((await append(hash, upload, 0, new Uint8Array(2 * MB))).status).toBe(204)
      expect(await used('ann')).toEqual({ bytes: 2 * MB, files: 2 })
      const arriving = Promise.withResolvers<void>()
      const slow = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new Uint8Array(1000))
          await arriving.promise
          controller.enqueue(new Uint8Array(7 * MB - 1000))
          controller.close()
        },
      })
      const answer = append(hash, upload, 2 * MB, slow)
      await until(async () => (await used('ann')).bytes > 2 * MB)
      expect((await used('ann')).bytes).toBeLessThanOrEqual(4 * MB + 2000)
      expect(await post('ann', '/mine', new Uint8Array(5 * MB))).toBe(200)
      arriving.resolve()
      expect((await answer.catch(() => ({ status: 507 }))).status).toBe(507)
      expect(await call('ann', 'DELETE', '/mine?permanent=true')).toBe(200)
      const head = await product().ask(`/api/public/tus/${hash}/${upload}/f`, { method: 'HEAD', headers: TUS })
      const offset = Number(head.headers.get('upload-offset'))
      expect((await append(hash, upload, offset, new Uint8Array(9 * MB - offset))).status).toBe(204)
      expect(await used('ann')).toEqual({ bytes: 9 * MB, files: 2 })
      expect(await counted(product(), 'ann')).toEqual({ bytes: 9 * MB, files: 2 })
    })

    it('is forgotten after half an hour, and with the link at once', async () => {
      await prepare()
      await limit('ann', 10 * MB)
      for (const end of ['time', 'link'] as const) {
        const hash = await drop()
        const upload = secret()
        await announce(hash, upload, 9 * MB)
        await append(hash, upload, 0, new Uint8Array(MB))
        expect([end, await used('ann')]).toEqual([end, { bytes: MB, files: 2 }])
        expect(await product().storage.staged()).toHaveLength(1)
        if (end === 'time') {
          product().pass(31 * 60_000)
          await product().world.tidy()
        } else {
          await product().as('ann').shares.remove({ params: { hash } })
        }
        await until(async () => (await product().storage.staged()).length === 0)
        expect(await used('ann')).toEqual({ bytes: 0, files: 1 })
        expect(await product().db.selectFrom('uploads').selectAll().execute()).toEqual([])
      }
    })

    it('is forgotten when the link ends by itself', async () => {
      await prepare()
      await limit('ann', 10 * MB)
      const hash = await drop({ expires: '60', unit: 'seconds' })
      const upload = secret()
      await announce(hash, upload, 9 * MB)
      await append(hash, upload, 0, new Uint8Array(MB))
      product().pass(61_000)
      await product().world.tidy()
      expect(await product().storage.staged()).toEqual([])
      expect(await used('ann')).toEqual({ bytes: 0, files: 1 })
    })
  })

  describe('people-attack-10: uploads over a file that is being deleted', () => {
    for (const query of ['', '?permanent=true'])
      it(`are not counted when nothing is there (DELETE${query})`, async () => {
        const id = await prepare()
        await limit('ann', 10 * MB)
        const path = `/with-me/${id}/api/resources/f`
        for (let round = 0; round < 15; round++) {
          await post('eve', path, 'x'.repeat(1000))
          await Promise.all([post('eve', path, 'x'.repeat(3000)), call('eve', 'DELETE', path + query), post('eve', path, 'x'.repeat(2000))])
        }
        await call('eve', 'DELETE', path + query)
        expect(await used('ann')).toEqual({ bytes: 0, files: 1 })
        expect(await counted(product(), 'ann')).toEqual({ bytes: 0, files: 1 })
      })
  })

  describe('people-attack-12: uploads that would replace one file', () => {
    const announce = (path: string, key: string, length: number) =>
      status(product(), `/api/tus${path}?override=true&upload=${key}`, {
        method: 'POST',
        who: 'eve',
        headers: { ...TUS, 'upload-length': String(length) },
      })

    it('count the old file once, as long as it is there', async () => {
      await prepare()
      await limit('eve', 20_000)
      expect(await post('eve', '/F', 'x'.repeat(10_000))).toBe(200)
      expect(await announce('/F', 'k0', 10_000)).toBe(201)
      expect(await used('eve')).toEqual({ bytes: 10_000, files: 1 })
      expect(await announce('/F', 'k1', 10_000)).toBe(201)
      expect(await announce('/F', 'k2', 10_000)).toBe(507)
      expect(await used('eve')).toEqual({ bytes: 20_000, files: 2 })
      const cancelled = await status(product(), '/api/tus/F?upload=k0', { method: 'DELETE', who: 'eve', headers: TUS })
      expect(cancelled).toBe(204)
      expect(await announce('/F', 'k3', 10_000)).toBe(201)
    })

    it('never leave more unfinished than the quota, whatever is renamed, replaced and deleted in between', async () => {
      await prepare()
      await limit('eve', 20_000)
      let announced = 0
      for (let round = 0; round < 10; round++) {
        await post('eve', `/F${round}`, 'x'.repeat(10_000))
        if ((await announce(`/F${round}`, `k${round}`, 10_000)) === 201) announced++
        await call('eve', 'DELETE', `/F${round}?permanent=true`)
      }
      expect(announced).toBeLessThanOrEqual(3)
    })
  })
})

/** A disk of this size with nothing on it but the trash and versions. */
const disk =
  (total: number) =>
  (storage: Storage): Storage => ({ ...storage, space: async () => ({ total, used: 0 }) })

describe('people-attack-3: uploading and deleting again and again', () => {
  async function twoPeople(product: Product): Promise<void> {
    await product.seed({ '/home/ann/': '', '/home/eve/': '' })
    await product.setScope('ann', '/home/ann')
    await product.add('eve', { scope: '/home/eve' })
  }
  async function thrownAway(product: Product, who: string, name: string, bytes: number): Promise<void> {
    await status(product, `/api/resources/${name}`, { method: 'POST', who, body: 'x'.repeat(bytes) })
    await status(product, `/api/resources/${name}`, { method: 'DELETE', who })
  }
  const inTrash = async (product: Product, who: string) => (await listed(product, who)).map(({ path }) => path).toSorted()

  it('removes the oldest of the person whose deletions fill the share, at once beyond their quota, and nobody else’s', async () => {
    await using product = await startProduct({ around: disk(10_000) })
    await twoPeople(product)
    await thrownAway(product, 'ann', 'doc', 100)
    await product.db
      .updateTable('operations')
      .set((of) => ({ at: of('at', '-', 2 * 3600_000) }))
      .execute()
    await limitOf(product, 'eve', { bytes: 300 })
    for (let times = 0; times < 8; times++) await thrownAway(product, 'eve', `x${times}`, 200)
    await product.world.tidy()
    expect(await inTrash(product, 'ann')).toEqual(['/doc'])
    expect(await inTrash(product, 'eve')).toEqual(['/x4', '/x5', '/x6', '/x7'])
    // What is no more than the quota is spared for an hour.
    await setTrash(product, { trashShare: 2 })
    await product.world.tidy()
    expect(await inTrash(product, 'eve')).toEqual(['/x7'])
    expect(await inTrash(product, 'ann')).toEqual(['/doc'])
  })

  it('without a quota is spared for an hour, and then goes before what others deleted', async () => {
    await using product = await startProduct({ around: disk(10_000) })
    await twoPeople(product)
    await thrownAway(product, 'ann', 'doc', 100)
    for (let times = 0; times < 8; times++) await thrownAway(product, 'eve', `x${times}`, 200)
    await product.world.tidy()
    expect(await inTrash(product, 'eve')).toHaveLength(8)
    await product.db
      .updateTable('operations')
      .set((of) => ({ at: of('at', '-', 3600_001) }))
      .execute()
    await product.world.tidy()
    expect(await inTrash(product, 'eve')).toEqual(['/x4', '/x5', '/x6', '/x7'])
    expect(await inTrash(product, 'ann')).toEqual(['/doc'])
  })

  it('on a disk that is nearly full spares nothing of that person', async () => {
    let used = 0
    const filling = (storage: Storage): Storage => ({ ...storage, space: async () => ({ total: 100_000, used }) })
    await using product = await startProduct({ around: filling })
    await twoPeople(product)
    await thrownAway(product, 'ann', 'doc', 100)
    for (let times = 0; times < 4; times++) await thrownAway(product, 'eve', `x${times}`, 200)
    used = 99_500
    await product.world.tidy()
    expect(await inTrash(product, 'eve')).toEqual(['/x3'])
    expect(await inTrash(product, 'ann')).toEqual(['/doc'])
  })
})

describe('people-attack-11: replacing again and again', () => {
  it('removes the oldest versions of the person who has most of them, and nobody else’s', async () => {
    await using product = await startProduct({ around: disk(10_000) })
    await product.seed({ '/home/ann/f': 'x'.repeat(300), '/home/eve/': '' })
    await product.setScope('ann', '/home/ann')
    await product.add('eve', { scope: '/home/eve' })
    await setVersions(product, { versionShare: 10 })
    await replace(product, 'ann', '/f', 'new')
    for (let times = 0; times < 8; times++) {
      await replace(product, 'eve', `/y${times}`, 'x'.repeat(400))
      await replace(product, 'eve', `/y${times}`, 'small')
    }
    await product.world.tidy()
    expect(await versionsOf(product, 'ann', '/f')).toHaveLength(1)
    expect(await keptIds(product)).toHaveLength(2)
    expect(await versionsOf(product, 'eve', '/y7')).toHaveLength(1)
  })
})

function addressOf(path: string): string {
  return path.startsWith('/with-me/') ? path : `/api/resources${path}`
}

async function status(product: Product, address: string, init: RequestInit & { who?: string }): Promise<number> {
  const response = await product.ask(address, init)
  await response.body?.cancel()
  return response.status
}

async function limitOf(
  product: Product,
  who: string,
  { bytes, files = null }: { bytes: number | null; files?: number | null },
): Promise<void> {
  const subject = { kind: 'user' as const, id: (await product.account(who)).id }
  await product.as('root').quotas.set({ body: { who: subject, bytes, files } })
  await product.as('root').quotas.count({ body: { who: subject } })
}

/** What the quota of an account holds, with what is reserved. */
async function usedBy(product: Product, who: string): Promise<{ bytes: number; files: number }> {
  const { id } = await product.account(who)
  await product.world.quotas.of({ userId: id })
  const row = await product.db.selectFrom('quotas').selectAll().where('subject', '=', `user ${id}`).executeTakeFirstOrThrow()
  const uploads = await product.db.selectFrom('uploads').select('id').where('lease', 'is distinct from', 'finished').execute()
  const open = (await product.db.selectFrom('quota_changes').selectAll().where('subject', '=', `user ${id}`).execute()).filter(
    (one) => one.server !== '' || uploads.some((upload) => upload.id === one.id),
  )
  const more = (of: 'bytes' | 'files') => open.reduce((sum, one) => sum + one[of], 0)
  return { bytes: (row.used_bytes ?? NaN) + more('bytes'), files: (row.used_files ?? NaN) + more('files') }
}

/** The same, from the disk. */
async function counted(product: Product, who: string): Promise<{ bytes: number; files: number }> {
  const { id } = await product.account(who)
  await product.as('root').quotas.count({ body: { who: { kind: 'user', id } } })
  return usedBy(product, who)
}
