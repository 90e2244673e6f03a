import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { EVERYTHING as EVERY_ACCESS } from '../../src/server/access/everything.ts'
import { openDrive } from '../../src/server/drive/drive.ts'
import { NO_VERSIONS, type Versions } from '../../src/server/drive/versions.ts'
import { createVersionStore } from '../../src/server/versions/store.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { refusal } from './trash-calls.ts'
import { contentOf, contentsOf, keptIds, removeVersion, replace, restoreVersion, save, versionsOf } from './versions-calls.ts'
import { deny, EVERYTHING, onEachStorage, startProduct } from './world.ts'

const TREE = { '/home/mine.txt': 'mine', '/home/secret/s.txt': 'SECRET', '/home/.dot': 'SECRET', '/other/o.txt': 'SECRET' }

onEachStorage((product) => {
  describe('nobody reaches versions', () => {
    it('of another file by their ids: not to read, not to restore, not to remove', async () => {
      await product().seed(TREE)
      await product().add('ben', { scope: '/home', rules: [deny('/secret')], hideDotfiles: true })
      for (const path of ['/home/mine.txt', '/home/secret/s.txt', '/home/.dot', '/other/o.txt'])
        await replace(product(), 'root', path, 'new')
      const before = await product().snapshot()
      for (const path of ['/home/secret/s.txt', '/home/.dot', '/other/o.txt']) {
        const [version] = await versionsOf(product(), 'root', path)
        const id = version?.id ?? ''
        expect(await refusal(contentOf(product(), 'ben', '/mine.txt', id))).toBe('not-found')
        expect(await refusal(restoreVersion(product(), 'ben', '/mine.txt', id))).toBe('not-found')
        expect(await refusal(removeVersion(product(), 'ben', '/mine.txt', id))).toBe('not-found')
        expect(await contentsOf(product(), 'root', path)).toEqual(['SECRET'])
      }
      expect(await product().snapshot()).toEqual(before)
    })

    it('of a file that they may not see: hidden by a rule, a dotfile, outside of their folder', async () => {
      await product().seed(TREE)
      await product().add('ben', { scope: '/home', rules: [deny('/secret')], hideDotfiles: true })
      for (const [path, seen] of Object.entries({
        '/home/secret/s.txt': '/secret/s.txt',
        '/home/.dot': '/.dot',
        '/other/o.txt': '/../other/o.txt',
      })) {
        await replace(product(), 'root', path, 'new')
        const [version] = await versionsOf(product(), 'root', path)
        for (const query of ['', `?id=${version?.id}`])
          for (const method of query === '' ? ['GET'] : ['GET', 'HEAD', 'POST', 'DELETE']) {
            const { status } = await product().ask(`/api/versions${seen}${query}`, { who: 'ben', method })
            expect([seen, query, method, status >= 400]).toEqual([seen, query, method, true])
          }
        expect(await contentsOf(product(), 'root', path)).toEqual(['SECRET'])
      }
    })

    it('of a file that was moved where they may not see it', async () => {
      await product().seed(TREE)
      await product().add('ben', { scope: '/home', rules: [deny('/secret')] })
      await replace(product(), 'ben', '/mine.txt', 'new')
      const [version] = await versionsOf(product(), 'ben', '/mine.txt')
      const query = { action: 'rename' as const, destination: '/home/secret/mine.txt' }
      await product()
        .as('root')
        .resources.transfer({ params: { path: at('/home/mine.txt') }, query })
      await product().seed({ '/home/mine.txt': 'another' })
      expect(await versionsOf(product(), 'ben', '/mine.txt')).toEqual([])
      expect(await refusal(contentOf(product(), 'ben', '/mine.txt', version?.id ?? ''))).toBe('not-found')
    })

    it('without the right to download or to modify', async () => {
      await product().seed(TREE)
      await replace(product(), 'root', '/home/mine.txt', 'new')
      const [version] = await versionsOf(product(), 'root', '/home/mine.txt')
      await product().add('reader', { may: { ...EVERYTHING, modify: false } })
      await product().add('lister', { may: { ...EVERYTHING, download: false, share: false } })
      expect(await refusal(restoreVersion(product(), 'reader', '/home/mine.txt', version?.id))).toBe('forbidden')
      expect(await contentOf(product(), 'reader', '/home/mine.txt', version?.id ?? '')).toBe('mine')
      expect(await refusal(contentOf(product(), 'lister', '/home/mine.txt', version?.id ?? ''))).toBe('download-refused')
    })

    it('through a link, whatever it permits', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', '/home/mine.txt', 'new')
      const [version] = await versionsOf(product(), 'ann', '/home/mine.txt')
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/home') }, body: '{"rights":"edit"}' })
      expect(await (await product().ask(`/api/public/dl/${hash}/mine.txt?id=${version?.id}`)).text()).toBe('new')
      for (const address of [`/api/public/versions/${hash}/mine.txt`, `/api/versions/home/mine.txt?id=${version?.id}`])
        for (const method of ['GET', 'POST', 'DELETE'])
          expect((await product().ask(address, { method })).status).toBeGreaterThanOrEqual(401)
      expect(await contentsOf(product(), 'ann', '/home/mine.txt')).toEqual(['mine'])
    })

    it('by a path', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', '/home/mine.txt', 'new')
      const [id] = await keptIds(product())
      for (const path of ['.satchel/versions', `.satchel/versions/${id}`, `.satchel/versions/${id}/mine.txt`])
        for (const address of [`/api/resources/${path}`, `/api/raw/${path}`, `/api/versions/${path}`, `/api/versions/${path}?id=${id}`])
          expect([address, (await product().ask(address, { who: 'root' })).status]).toEqual([address, 404])
      for (const wrong of ['..', '../..', `${id}/mine.txt`, '%2e%2e', '.', 'x'.repeat(5000), `${id}%00`])
        for (const method of ['GET', 'POST', 'DELETE']) {
          const { status } = await product().ask(`/api/versions/home/mine.txt?id=${encodeURIComponent(wrong)}`, { who: 'root', method })
          expect([wrong, method, status]).toEqual([wrong, method, 404])
        }
    })
  })

  it('an id alone is not enough; where it is, the mechanism off, the attack succeeds', async () => {
    await product().seed(TREE)
    await replace(product(), 'root', '/other/o.txt', 'new')
    const id = (await versionsOf(product(), 'root', '/other/o.txt'))[0]?.id ?? ''
    const store = createVersionStore(product().db)
    const benRead = async (find: Versions['find']): Promise<string> => {
      const drive = openDrive(product().storage, { ...EVERY_ACCESS, scope: at('/home') }, { versions: { ...NO_VERSIONS, find } })
      await using file = await drive.openVersion(at('/mine.txt'), id)
      return new TextDecoder().decode(await file.peek(0, 100))
    }
    expect(await refusal(benRead((file, asked) => store.find(file, asked)))).toBe('not-found')
    expect(await benRead(async (_, asked) => (await store.known([asked]))[0] ?? null)).toBe('SECRET')
  })

  it('of many who save, restore and remove at once nothing is lost but what was removed', async () => {
    await product().seed({ '/a.txt': 'start' })
    for (let n = 0; n < 4; n++) await replace(product(), 'ann', '/a.txt', `before ${n}`)
    const ids = (await versionsOf(product(), 'ann', '/a.txt')).map(({ id }) => id)
    const work = [
      ...Array.from({ length: 6 }, (_, n) => replace(product(), n % 2 === 0 ? 'ann' : 'root', '/a.txt', `new ${n}`)),
      ...ids.slice(0, 2).flatMap((id) => [restoreVersion(product(), 'ann', '/a.txt', id), restoreVersion(product(), 'root', '/a.txt', id)]),
      removeVersion(product(), 'ann', '/a.txt', ids[3]),
    ]
    const codes = await Promise.all(work.map((one) => refusal(one)))
    expect(codes.filter((code) => !['none', 'not-found', 'busy'].includes(code))).toEqual([])
    const uploads = codes.slice(0, 6).flatMap((code, n) => (code === 'none' ? [`new ${n}`] : []))
    const all = [...(await contentsOf(product(), 'ann', '/a.txt')), await product().read('/a.txt')]
    expect(all.toSorted()).toEqual(['before 0', 'before 1', 'before 2', 'before 3', ...uploads].toSorted())
  })
})

describe('somebody who writes to the disk', () => {
  it('cannot lead versions out of the served folder by a link in the place of theirs', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed(TREE)
    const outside = join(product.root, '..', `outside-${crypto.randomUUID()}`)
    await mkdir(join(outside, 'versions', 'id'), { recursive: true })
    await writeFile(join(outside, 'versions', 'id', 'precious'), 'precious')
    await replace(product, 'ann', '/home/mine.txt', 'new')
    const [version] = await versionsOf(product, 'ann', '/home/mine.txt')
    const before = (await readdir(outside, { recursive: true })).toSorted()
    for (const [name, target] of [
      ['.satchel/versions', join(outside, 'versions')],
      ['.satchel', outside],
    ] as const) {
      const place = join(product.root, name)
      await rename(place, `${place}-aside`)
      await symlink(target, place)
      await refusal(replace(product, 'ann', '/other/o.txt', 'new'))
      await refusal(restoreVersion(product, 'ann', '/home/mine.txt', version?.id))
      await refusal(removeVersion(product, 'ann', '/home/mine.txt', version?.id))
      await product.world.recover()
      await product.world.tidy()
      expect((await readdir(outside, { recursive: true })).toSorted()).toEqual(before)
      await rm(place)
      await rename(`${place}-aside`, place)
    }
  })

  it('reads nothing by a link in the place of a version', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed(TREE)
    const secret = join(product.root, '..', `secret-${crypto.randomUUID()}`)
    await writeFile(secret, 'PRECIOUS')
    await replace(product, 'ann', '/home/mine.txt', 'new')
    const [version] = await versionsOf(product, 'ann', '/home/mine.txt')
    const place = join(product.root, '.satchel/versions', version?.id ?? '', 'mine.txt')
    await rm(place)
    await symlink(secret, place)
    expect(await refusal(contentOf(product, 'ann', '/home/mine.txt', version?.id ?? ''))).toBe('not-found')
    await refusal(restoreVersion(product, 'ann', '/home/mine.txt', version?.id))
    const answer = await product.ask('/api/raw/home/mine.txt', { who: 'ann' })
    expect(await answer.text()).not.toContain('PRECIOUS')
    expect(await readFile(secret, 'utf8')).toBe('PRECIOUS')
    // A link that is read where it lies, the mechanism off, tells the secret.
    expect(await readFile(place, 'utf8').catch(() => 'gone')).toMatch(/PRECIOUS|gone/)
  })

  it('does not keep a save from a file whose version somebody removed', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed(TREE)
    await replace(product, 'ann', '/home/mine.txt', 'new')
    await rm(join(product.root, '.satchel/versions'), { recursive: true })
    const [version] = await versionsOf(product, 'ann', '/home/mine.txt')
    if (version !== undefined) expect(await refusal(restoreVersion(product, 'ann', '/home/mine.txt', version.id))).toBe('not-found')
    await save(product, 'ann', '/home/mine.txt', 'newer')
    await product.world.recover()
    expect(await contentsOf(product, 'ann', '/home/mine.txt')).toEqual(['new'])
  })
})
