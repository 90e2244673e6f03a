import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { dav, davStatus, lock, LOCK_BODY } from './dav-calls.ts'
import { mountDisk } from './disk.ts'
import { set as setTrash } from './trash-calls.ts'
import { deny, EVERYTHING, onEachStorage, type Product, startProduct } from './world.ts'

// What an attacker found who had not built it: each attack succeeded once.
setDefaultTimeout(120_000)

const PROPERTY = (value: string) =>
  `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:a xmlns:x="urn:x">${value}</x:a></D:prop></D:set></D:propertyupdate>`

const tree = async (product: Product) =>
  Object.keys(await product.snapshot()).filter((path) => path.startsWith('/') && !path.startsWith('/.satchel'))

onEachStorage((product) => {
  const status = (call: string, options: Parameters<typeof davStatus>[2] = {}) => davStatus(product(), call, options)
  const to = (destination: string, more: Record<string, string> = {}) => ({ headers: { destination: `/dav${destination}`, ...more } })

  describe('dav-attack-2: a folder is not removed for what it contains, or is, through a link', () => {
    for (const trashDays of [30, 0])
      it(`with a trash of ${trashDays} days`, async () => {
        await product().seed({ '/dir/sub/x': 'x', '/dir/y': 'y' })
        await product().link('/ln', 'dir')
        await setTrash(product(), { trashDays })
        const before = await tree(product())
        for (const [method, from, target] of [
          ['MOVE', '/dir/sub', '/ln/sub'],
          ['COPY', '/dir/sub', '/ln/sub'],
          ['MOVE', '/ln/sub', '/dir'],
          ['COPY', '/ln/sub', '/dir'],
          ['MOVE', '/dir', '/ln/sub'],
        ] as const) {
          expect([method, from, target, (await status(`${method} ${from}`, to(target))) >= 400]).toEqual([method, from, target, true])
          expect([method, from, target, await tree(product())]).toEqual([method, from, target, before])
        }
      })
  })

  describe('dav-attack-3: a MOVE or COPY that is refused leaves the folder that it was to replace', () => {
    it('where there is no trash, nothing is overwritten', async () => {
      await product().seed({ '/new/n': 'n', '/old/o': 'o' })
      await setTrash(product(), { trashDays: 0 })
      const before = await tree(product())
      expect([await status('COPY /new', to('/old')), await status('MOVE /new', to('/old'))]).toEqual([403, 403])
      expect(await tree(product())).toEqual(before)
    })

    it('where the source is locked, is partly denied, does not fit, or the right to create is missing', async () => {
      await product().seed({ '/home/new/big': 'x'.repeat(900), '/home/new/no/s': 's', '/home/old/o': 'o' })
      await product().setScope('ann', '/home')
      const { id } = await product().add('bob', { scope: '/home' })
      const before = await tree(product())
      const kept = async () => expect(await tree(product())).toEqual(before)
      const token = await lock(product(), '/new/big', { as: 'bob' })
      expect(await status('MOVE /new', to('/old'))).toBe(423)
      expect(await status('UNLOCK /new/big', { as: 'bob', headers: { 'lock-token': token } })).toBe(204)
      await kept()
      await product().setRules('bob', [deny('/new/no')])
      expect(await status('MOVE /new', { as: 'bob', ...to('/old') })).toBe(403)
      await kept()
      await product().setRules('bob', [])
      await product()
        .as('root')
        .quotas.set({ body: { who: { kind: 'user', id }, bytes: 1000, files: null } })
      await product()
        .as('root')
        .quotas.count({ body: { who: { kind: 'user', id } } })
      expect(await status('COPY /new', { as: 'bob', ...to('/old') })).toBe(507)
      await kept()
      await product().setRights('ann', { ...EVERYTHING, create: false })
      expect(await status('COPY /new', to('/old'))).toBe(403)
      await kept()
    })
  })

  it('dav-attack-8: a deep lock holds behind a link, also for what is new in new folders', async () => {
    await product().seed({ '/locked/a.txt': 'a' })
    await product().link('/ln', 'locked')
    await product().add('bob')
    await lock(product(), '/locked', { as: 'bob', headers: { depth: 'infinity' } })
    const upload = (path: string) => product().ask(`/api/resources${path}`, { who: 'ann', method: 'POST', body: 'x' })
    expect((await upload('/ln/new/more/f')).status).toBe(423)
    expect((await upload('/ln/f')).status).toBe(423)
  })

  it('dav-attack-9: nobody locks through a link what they may not change', async () => {
    await product().seed({ '/team/closed/c': 'c' })
    await product().link('/ln', 'team')
    const { id } = await product().add('bob')
    await product()
      .as('root')
      .access.set({ params: { path: at('/team/closed') }, body: { who: { kind: 'user', id }, rights: [] } })
    const deep = { as: 'bob', body: LOCK_BODY, headers: { depth: 'infinity' } }
    expect([await status('LOCK /team', deep), await status('LOCK /ln', deep)]).toEqual([403, 403])
  })

  it('dav-attack-10: properties of a denied file are not copied to a file of the same name', async () => {
    await product().seed({ '/A/secret.txt': 's', '/A/plain.txt': 'p', '/B/secret.txt': 'bob’s' })
    expect(await status('PROPPATCH /A/secret.txt', { body: PROPERTY('told-to-nobody') })).toBe(207)
    expect(await status('PROPPATCH /A/plain.txt', { body: PROPERTY('told') })).toBe(207)
    await product().add('bob', { rules: [deny('/A/secret.txt')] })
    await product().ask('/api/resources/A?action=copy&destination=/B&override=true', { who: 'bob', method: 'PATCH' })
    const propertiesOf = async (path: string) => (await dav(product(), `PROPFIND ${path}`, { as: 'bob', headers: { depth: '0' } })).text()
    expect(await propertiesOf('/B/secret.txt')).not.toContain('told')
    expect(await propertiesOf('/B/plain.txt')).toContain('told')
  })

  it('dav-attack-11: a body that is longer than announced is refused before it is stored', async () => {
    await product().seed({ '/a.txt': 'a' })
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent > 1000) controller.close()
        else controller.enqueue(new Uint8Array(100_000))
      },
    })
    const refused = await status('PUT /big.bin', { body, headers: { 'x-expected-entity-length': '1' } }).catch(() => 400)
    expect(refused).toBe(400)
    expect(sent).toBeLessThan(500)
    expect(await tree(product())).toEqual(['/a.txt'])
  })

  it('dav-attack-13: a lock is not refreshed by somebody who may not change the file any more', async () => {
    await product().seed({ '/a.txt': 'a' })
    const token = await lock(product(), '/a.txt')
    const refresh = () => status('LOCK /a.txt', { headers: { if: `(${token})` } })
    expect(await refresh()).toBe(200)
    await product().setRights('ann', { ...EVERYTHING, create: false, modify: false })
    expect(await refresh()).toBe(403)
  })
})

describe('on a disk that ignores case', () => {
  async function onDisk(work: (product: Product) => Promise<void>): Promise<void> {
    const home = mkdtempSync(join(tmpdir(), 'satchel-dav-case-'))
    const folder = join(home, 'served')
    const disk = mountDisk('exfat', { home, at: folder })
    try {
      await using product = await startProduct({ storage: { folder } })
      await work(product)
    } finally {
      disk[Symbol.dispose]()
      rmSync(home, { recursive: true })
    }
  }

  it('dav-attack-1: a folder is not lost to another spelling of itself, and is not replaced by what it contains', async () => {
    await onDisk(async (product) => {
      await product.seed({ '/Work/a.txt': 'a', '/A/b/c': 'c' })
      await setTrash(product, { trashDays: 0 })
      expect(await davStatus(product, 'COPY /Work', { headers: { destination: '/dav/work' } })).toBe(403)
      expect(await product.read('/work/a.txt')).toBe('a')
      for (const method of ['MOVE', 'COPY'])
        expect(await davStatus(product, `${method} /A/b`, { headers: { destination: '/dav/a' } })).toBe(403)
      expect(await product.read('/A/b/c')).toBe('c')
    })
  })

  it('dav-attack-7: a lock holds for every spelling', async () => {
    await onDisk(async (product) => {
      await product.seed({ '/f.txt': 'f', '/Dir/x': 'x' })
      await product.add('bob')
      await lock(product, '/f.txt')
      await lock(product, '/Dir', { headers: { depth: 'infinity' } })
      const bob = { as: 'bob', body: 'b' }
      expect([await davStatus(product, 'PUT /F.TXT', bob), await davStatus(product, 'PUT /DIR/sub', bob)]).toEqual([423, 423])
      expect(await davStatus(product, 'LOCK /F.TXT', { as: 'bob', body: LOCK_BODY, headers: { depth: '0' } })).toBe(423)
      await expect(product.as('bob').resources.remove({ params: { path: at('/DIR') }, query: {} })).rejects.toMatchObject({
        code: 'locked',
      })
    })
  })
})
