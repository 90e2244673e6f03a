import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { dav, davStatus, propfindBody } from './dav-calls.ts'
import { type Disk, mountDisk } from './disk.ts'
import { eventually } from './raw-connection.ts'
import { deny, onEachStorage, type Product, startProduct } from './world.ts'

// What a second attacker found: each attack succeeded once.
setDefaultTimeout(120_000)

const setting = (value: string, name = 'a') =>
  `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:${name} xmlns:x="urn:x">${value}</x:${name}></D:prop></D:set></D:propertyupdate>`

const propertiesOf = async (product: Product, path: string) => (await dav(product, `PROPFIND ${path}`, { headers: { depth: '0' } })).text()

const tree = async (product: Product) =>
  Object.keys(await product.snapshot()).filter((path) => path.startsWith('/') && !path.startsWith('/.satchel'))

onEachStorage((product) => {
  it('dav-attack2-1: a file that another program made anew has no properties of the old one, and a saved one keeps its own', async () => {
    await product().seed({ '/a.txt': 'a', '/b.txt': 'b' })
    for (const path of ['/a.txt', '/b.txt']) expect(await davStatus(product(), `PROPPATCH ${path}`, { body: setting('mine') })).toBe(207)
    expect(await davStatus(product(), 'PUT /b.txt', { body: 'saved' })).toBe(204)
    const upload = { who: 'ann', method: 'POST', body: 'more' }
    expect((await product().ask('/api/resources/b.txt?override=true', upload)).status).toBe(200)
    expect(await propertiesOf(product(), '/b.txt')).toContain('mine')
    await anew(product(), 'a.txt')
    expect(await propertiesOf(product(), '/a.txt')).not.toContain('mine')
    const listed = await (await dav(product(), 'PROPFIND /', { headers: { depth: '1' } })).text()
    expect(listed.split('mine').length).toBe(2)
    // Nor when it is saved, renamed or copied afterwards.
    expect(await davStatus(product(), 'PUT /a.txt', { body: 'saved' })).toBe(204)
    expect(await propertiesOf(product(), '/a.txt')).not.toContain('mine')
    expect(await davStatus(product(), 'COPY /a.txt', { headers: { destination: '/dav/c.txt' } })).toBe(201)
    expect(await davStatus(product(), 'MOVE /a.txt', { headers: { destination: '/dav/d.txt' } })).toBe(201)
    expect((await propertiesOf(product(), '/c.txt')) + (await propertiesOf(product(), '/d.txt'))).not.toContain('mine')
  })

  it('dav-attack2-2: a person can set only so many properties, also by copying them', async () => {
    await product().seed({ '/dir/a.txt': 'a' })
    const big = 'x'.repeat(60_000)
    for (let i = 0; i < 60; i++) await product().seed({ [`/dir/${i}.txt`]: 'x' })
    for (let i = 0; i < 60; i++) expect(await davStatus(product(), `PROPPATCH /dir/${i}.txt`, { body: setting(big) })).toBe(207)
    for (let i = 0; i < 6; i++) expect(await davStatus(product(), 'COPY /dir', { headers: { destination: `/dav/copy${i}` } })).toBe(201)
    const { sum } = await product()
      .db.selectFrom('dav_properties')
      .select(({ fn }) => fn.sum<number>('chars').as('sum'))
      .executeTakeFirstOrThrow()
    expect(sum).toBeLessThan(17 * 1024 * 1024)
    const refused = await dav(product(), 'PROPPATCH /dir/a.txt', { body: setting(big) })
    expect(await refused.text()).toContain('507')
    // Who removes some can set others.
    const remove = setting(big).replaceAll('D:set', 'D:remove')
    for (let i = 0; i < 2; i++) expect(await davStatus(product(), `PROPPATCH /dir/${i}.txt`, { body: remove })).toBe(207)
    expect(await (await dav(product(), 'PROPPATCH /dir/a.txt', { body: setting(big) })).text()).toContain('200 OK')
  })

  it('dav-attack2-2: nobody sets properties without room in their quota', async () => {
    await product().seed({ '/home/a.txt': 'x'.repeat(2000) })
    const { id } = await product().add('bob', { scope: '/home' })
    const who = { kind: 'user', id } as const
    await product()
      .as('root')
      .quotas.set({ body: { who, bytes: 1000, files: null } })
    await product().as('root').quotas.count({ body: { who } })
    expect(await (await dav(product(), 'PROPPATCH /a.txt', { as: 'bob', body: setting('v') })).text()).toContain('507')
  })

  it('dav-attack2-5: one question does not cost many times its size for each entry', async () => {
    await product().seed({ '/a.txt': 'a' })
    const names = Array.from({ length: 2500 }, (_, i) => `<n${i.toString(36)}/>`).join('')
    const body = `<D:propfind xmlns:D="DAV:"><D:prop>${names}</D:prop></D:propfind>`
    expect(await davStatus(product(), 'PROPFIND /', { body, headers: { depth: '1' } })).toBe(413)
  })

  it('dav-attack2-7: the disk is asked once for the quota of all folders in a folder', async () => {
    let asked = 0
    const around = (storage: Storage): Storage => ({ ...storage, space: (...all) => ((asked += 1), storage.space(...all)) })
    await using counted = await startProduct({ around })
    for (let i = 0; i < 20; i++) await counted.seed({ [`/${i}/`]: '' })
    const body = propfindBody('quota-available-bytes', 'quota-used-bytes')
    const told = await (await dav(counted, 'PROPFIND /', { body, headers: { depth: '1' } })).text()
    expect(told.split('<D:quota-used-bytes>').length).toBeGreaterThan(20)
    expect(asked).toBe(1)
  })

  it('dav-attack2-9: of several who make a folder at once, one has made it', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => davStatus(product(), 'MKCOL /new')))
    expect(made.toSorted((a, b) => a - b)).toEqual([201, 405, 405, 405, 405, 405, 405, 405])
  })
})

/** Another program removes a file and makes one with its name. */
async function anew({ root, storage }: Product, name: string): Promise<void> {
  if (root !== '') {
    rmSync(join(root, name))
    return writeFileSync(join(root, name), 'anew')
  }
  await storage.remove(at(`/${name}`))
  const staged = storage.stage('anew', { near: ROOT })
  await staged.append(new TextEncoder().encode('anew'))
  await staged.commit(at(`/${name}`), { replace: false })
}

describe('dav-attack2-3: a server that is killed within a MOVE or COPY over a folder', () => {
  for (const method of ['MOVE', 'COPY'])
    it(`leaves everything as it was: ${method}`, async () => {
      let isDead = false
      // A call is never done, as if the process had ended.
      const never = new Promise<never>(() => undefined)
      const around = (storage: Storage): Storage => ({
        ...storage,
        move: (...all) => (isDead ? never : storage.move(...all)),
        makeFolder: (...all) => (isDead ? never : storage.makeFolder(...all)),
      })
      await using product = await startProduct({ storage: 'local', around })
      await product.seed({ '/new/n': 'n', '/old/o': 'o' })
      expect(await davStatus(product, 'PROPPATCH /old/o', { body: setting('mine') })).toBe(207)
      const before = await tree(product)
      isDead = true
      void davStatus(product, `${method} /new`, { headers: { destination: '/dav/old' } }).catch(() => 0)
      await eventually(
        () => tree(product),
        (paths) => !paths.includes('/old/o'),
      )
      isDead = false
      product.pass(11 * 60_000)
      product.restart()
      await product.world.recover()
      expect(await tree(product)).toEqual(before)
      expect(await propertiesOf(product, '/old/o')).toContain('mine')
      expect((await product.as('ann').trash.list({ query: {} })).entries).toEqual([])
    })
})

describe('on a disk that ignores case', () => {
  let home: string
  let disk: Disk
  let product: Product
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'satchel-dav-case-'))
    const folder = join(home, 'served')
    disk = mountDisk('exfat', { home, at: folder })
    product = await startProduct({ storage: { folder } })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    disk[Symbol.dispose]()
    rmSync(home, { recursive: true })
  })
  const listed = () => readdirSync(product.root).filter((name) => !name.startsWith('.'))

  it('dav-attack2-4: a new spelling of the same name is a renaming, by WebDAV and in the web, whatever rules there are', async () => {
    await product.seed({ '/Work/a.txt': 'a', '/File.txt': 'f', '/Üben.txt': 'u' })
    expect(await davStatus(product, 'MOVE /Work', { headers: { destination: '/dav/work' } })).toBe(204)
    expect(await davStatus(product, 'MOVE /File.txt', { headers: { destination: '/dav/file.txt', overwrite: 'F' } })).toBe(204)
    const renaming = (from: string, to: string, who: string) =>
      product.ask(`/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}`, { who, method: 'PATCH' })
    expect((await renaming('/%C3%9Cben.txt', '/üben.txt', 'ann')).status).toBe(200)
    expect(listed().toSorted()).toEqual(['file.txt', 'work', 'üben.txt'])
    await product.add('bob', { rules: [deny('/none')] })
    expect((await renaming('/work', '/WORK', 'bob')).status).toBe(200)
    expect(await davStatus(product, 'MOVE /file.txt', { as: 'bob', headers: { destination: '/dav/FILE.txt' } })).toBe(204)
    expect(listed().toSorted()).toEqual(['FILE.txt', 'WORK', 'üben.txt'])
    expect(await product.read('/WORK/a.txt')).toBe('a')
  })

  it('dav-attack2-6: properties are those of the file by every spelling, and go with it', async () => {
    await product.seed({ '/f.txt': 'f' })
    expect(await davStatus(product, 'PROPPATCH /F.TXT', { body: setting('mine') })).toBe(207)
    expect(await propertiesOf(product, '/f.txt')).toContain('mine')
    expect(await davStatus(product, 'MOVE /F.txt', { headers: { destination: '/dav/g.txt' } })).toBe(201)
    expect(await propertiesOf(product, '/G.TXT')).toContain('mine')
    expect(await davStatus(product, 'DELETE /g.txt')).toBe(204)
    expect(await davStatus(product, 'PUT /g.txt', { body: 'new' })).toBe(201)
    expect(await propertiesOf(product, '/g.txt')).not.toContain('mine')
  })
})
