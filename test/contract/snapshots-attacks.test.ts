import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { EVERYTHING as EVERY_ACCESS } from '../../src/server/access/everything.ts'
import { readOnly } from '../../src/server/snapshots/read-only.ts'
import { createSnapshots } from '../../src/server/snapshots/snapshots.ts'
import { createLocalSnapshots } from '../../src/server/storage/local-snapshots.ts'
import { snapshotPattern } from '../../src/server/storage/snapshot-pattern.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { entriesOf, idOf, restore, SNAPSHOTTED, type Snapshotted, snapshotsOf, textOf } from './snapshots-calls.ts'
import { refusal } from './trash-calls.ts'
import { contentOf, versionsOf } from './versions-calls.ts'
import { deny, EVERYTHING, type Product, startProduct } from './world.ts'

setDefaultTimeout(300_000)

const NAME = '2026-05-01T00:00:00Z'
const TREE = {
  'home/mine.txt': 'mine',
  'home/secret/s.txt': 'SECRET',
  'home/.dot': 'SECRET',
  'home/deep/.dots/d.txt': 'SECRET',
  'other/o.txt': 'SECRET',
  '.satchel/versions/v/v.txt': 'SECRET',
}
const HIDDEN = ['/secret/s.txt', '/.dot', '/deep/.dots/d.txt', '/../other/o.txt', '/out/o.txt', '/up/o.txt', '/whole/other/o.txt', '/away']

for (const kind of ['copies in folders', 'Btrfs, below the root']) {
  describe(`nobody reaches in snapshots what they may not see: ${kind}`, () => {
    let home: string
    let disk: Snapshotted
    let product: Product
    let id: string
    beforeEach(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))
      disk = SNAPSHOTTED[kind]?.(home) ?? fail()
      for (const [path, text] of Object.entries(TREE)) {
        mkdirSync(join(disk.root, path, '..'), { recursive: true })
        writeFileSync(join(disk.root, path), text)
      }
      // Links out of the scope, out of the snapshot, to the served folder of now, and around a rule.
      symlinkSync('../other', join(disk.root, 'home/out'))
      symlinkSync('../../../../../../../../../..', join(disk.root, 'home/up'))
      symlinkSync(disk.root, join(disk.root, 'home/whole'))
      symlinkSync(join(home, 'away.txt'), join(disk.root, 'home/away'))
      symlinkSync('secret', join(disk.root, 'home/around'))
      writeFileSync(join(home, 'away.txt'), 'SECRET')
      disk.take(NAME)
      product = await startProduct({ storage: { folder: disk.root }, snapshotsAt: disk.pattern })
      await product.add('ben', { scope: '/home', rules: [deny('/secret')], hideDotfiles: true })
      id = await idOf(product, 'root', NAME)
    })
    afterEach(async () => {
      await product[Symbol.asyncDispose]()
      disk[Symbol.dispose]()
      rmSync(home, { recursive: true })
    })
    const ask = (path: string, query: string, who = 'ben'): Promise<Response> =>
      product.ask(`/api/snapshots${path}?${query}`.replace('/?', '?'), { who })

    it('by a path: hidden, outside of their folder, behind links, with dots', async () => {
      const encoded = encodeURIComponent(id)
      const paths = [...HIDDEN, '/around/s.txt', '/.satchel/versions/v/v.txt', '/%2e%2e/other/o.txt', '/deep/%2e%2e/%2e%2e/other/o.txt']
      for (const path of paths) {
        for (const query of [`raw=1&id=${encoded}`, `raw=1&algo=tar&files=x&id=${encoded}`, `id=${encoded}`]) {
          const response = await ask(path, query)
          const text = await response.text()
          expect([path, query, response.status >= 400, text.includes('SECRET')]).toEqual([path, query, true, false])
        }
        expect([path, (await restoreTo(path, 'ben')).includes('SECRET')]).toEqual([path, false])
      }
      expect(await textOf(product, 'ben', '/mine.txt', id)).toBe('mine')
    })

    const restoreTo = async (path: string, who: string): Promise<string> => {
      const items = [{ from: path, to: '/stolen.txt' }]
      return (await refusal(product.as(who).snapshots.restore({ body: { id, items } }))) === 'none' ? 'SECRET' : ''
    }

    it('in a listing, in an archive, by a restoration of a whole folder', async () => {
      expect((await entriesOf(product, 'ben', '/', id)).map(({ name }) => name)).toEqual(['deep', 'mine.txt'])
      expect(await entriesOf(product, 'ben', '/deep', id)).toEqual([])
      const archive = await (await ask('/', `raw=1&algo=tar&id=${encodeURIComponent(id)}`)).text()
      expect([archive.includes('mine.txt'), archive.includes('SECRET'), archive.includes('s.txt')]).toEqual([true, false, false])
      await product.setRules('ben', [deny('/deep/d.txt')])
      writeFileSync(join(disk.root, 'home/deep/d.txt'), 'SECRET')
      disk.take('2026-05-02T00:00:00Z')
      await Bun.sleep(5100)
      const later = await idOf(product, 'ben', '2026-05-02T00:00:00Z')
      expect((await restore(product, 'ben', later, { from: '/deep', to: '/copied' })).state).toBe('done')
      expect(await refusal(product.read('/home/copied/d.txt'))).toBe('not-found')
    })

    it('as versions of a file: another path, a hidden one, another snapshot, words that are no id', async () => {
      writeFileSync(join(disk.root, 'home/mine.txt'), 'changed')
      const [version] = await versionsOf(product, 'ben', '/mine.txt')
      expect(await contentOf(product, 'ben', '/mine.txt', version?.id ?? '')).toBe('mine')
      for (const path of [...HIDDEN, '/deep']) {
        expect([path, await refusal(versionsOf(product, 'ben', path))]).toEqual([path, refusalOf(path)])
        expect([path, await refusal(contentOf(product, 'ben', path, version?.id ?? ''))]).toEqual([path, refusalOf(path)])
      }
      for (const wrong of ['', ':', NAME, `1:${NAME}`, `1:../${NAME}`, '..', `${id}/home`, `${id}/..`, 'x'.repeat(5000), `${id}\0`])
        for (const method of ['GET', 'POST', 'DELETE']) {
          const query = encodeURIComponent(`snapshot:${wrong}`)
          const { status } = await product.ask(`/api/versions/home/mine.txt?id=${query}`, { who: 'root', method })
          expect([wrong, method, status]).toEqual([wrong, method, 404])
        }
    })

    it('of folders that are hidden now, whether or not they are there', async () => {
      for (const path of ['/secret', '/deep/.dots', '/secret/never', '/around', '/never'])
        expect([path, await snapshotsOf(product, 'ben', path)]).toEqual([path, []])
      expect(await refusal(snapshotsOf(product, 'ben', '/../other'))).toBe('invalid-input')
      rmSync(join(disk.root, 'home/secret'), { recursive: true })
      expect(await snapshotsOf(product, 'ben', '/secret')).toEqual([])
      expect(await snapshotsOf(product, 'root', '/home/secret')).toHaveLength(1)
      for (const path of ['/out', '/up', '/whole', '/around'])
        expect([path, await refusal(entriesOf(product, 'ben', path, id))]).toEqual([path, 'not-found'])
    })

    it('without the right to download, create or modify', async () => {
      await product.add('lister', { may: { ...EVERYTHING, download: false, share: false } })
      await product.add('reader', { may: { ...EVERYTHING, create: false } })
      await product.add('maker', { may: { ...EVERYTHING, modify: false } })
      writeFileSync(join(disk.root, 'home/mine.txt'), 'changed')
      const [version] = await versionsOf(product, 'lister', '/home/mine.txt')
      expect(await refusal(contentOf(product, 'lister', '/home/mine.txt', version?.id ?? ''))).toBe('download-refused')
      expect(await refusal(snapshotsOf(product, 'lister', '/home'))).toBe('download-refused')
      expect(await refusal(entriesOf(product, 'lister', '/home', id))).toBe('download-refused')
      expect(await refusal(textOf(product, 'lister', '/home/mine.txt', id))).toBe('download-refused')
      const items = [{ from: '/home/mine.txt', to: '/home/mine.txt', replace: true }]
      expect(await refusal(product.as('reader').snapshots.restore({ body: { id, items } }))).toBe('forbidden')
      expect(await refusal(product.as('maker').snapshots.restore({ body: { id, items } }))).toBe('forbidden')
      for (const who of ['lister', 'maker']) {
        const query = { id: version?.id ?? '' }
        expect(await refusal(product.as(who).versions.restore({ params: { path: at('/home/mine.txt') }, query }))).toBe('forbidden')
      }
      expect(await refusal(product.as('lister').snapshots.restore({ body: { id, items } }))).toBe('forbidden')
      expect(await product.read('/home/mine.txt')).toBe('changed')
    })

    it('through a link, whatever it permits', async () => {
      const { hash } = await product.as('root').shares.create({ params: { path: at('/home') }, body: '{"rights":"edit"}' })
      for (const address of [
        `/api/public/snapshots/${hash}/mine.txt?id=${id}`,
        `/api/snapshots/home/mine.txt?raw=1&id=${id}`,
        '/api/snapshots/',
      ])
        expect([address, (await product.ask(address)).status >= 401]).toEqual([address, true])
    })

    it('once a rule, a scope or a right has changed, from the next step on', async () => {
      expect(await textOf(product, 'ben', '/mine.txt', id)).toBe('mine')
      await product.setRules('ben', [deny('/mine.txt')])
      expect(await refusal(textOf(product, 'ben', '/mine.txt', id))).toBe('not-found')
      await product.setScope('ben', '/other')
      expect(await refusal(textOf(product, 'ben', '/mine.txt', id))).toBe('not-found')
      expect(await textOf(product, 'ben', '/o.txt', id)).toBe('SECRET')
    })
  })
}

describe('a snapshot', () => {
  let home: string
  beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))))
  afterEach(() => rmSync(home, { recursive: true }))

  it('is no link, and behind none: neither in the place of its folder nor below', async () => {
    for (const path of ['root', 'snaps/real/srv', 'snaps/half', 'away/srv']) mkdirSync(join(home, path), { recursive: true })
    writeFileSync(join(home, 'away/srv/a.txt'), 'SECRET')
    symlinkSync('../away', join(home, 'snaps/linked'))
    symlinkSync('../../away/srv', join(home, 'snaps/half/srv'))
    await using product = await startProduct({ storage: { folder: join(home, 'root') }, snapshotsAt: join(home, 'snaps/*/srv') })
    expect((await snapshotsOf(product, 'root', '/')).map(({ name }) => name)).toEqual(['real'])
    const id = await idOf(product, 'root', 'real')
    renameSync(join(home, 'snaps/real'), join(home, 'snaps/before'))
    symlinkSync('../away', join(home, 'snaps/real'))
    expect(await refusal(textOf(product, 'root', '/a.txt', id))).toBe('not-found')
  })

  it('is opened with no right but to download, also when the access is renewed', async () => {
    mkdirSync(join(home, 'snaps/one'), { recursive: true })
    const snapshots = createSnapshots(createLocalSnapshots(snapshotPattern(join(home, 'snaps/*'), home)))
    const access = { ...EVERY_ACCESS, latest: () => EVERY_ACCESS }
    const [one] = await snapshots.list()
    {
      using past = await snapshots.open(one?.id ?? '', access)
      expect(past.drive.may('download', at('/x'))).toBe(true)
      await past.drive.renew()
      for (const right of ['admin', 'create', 'modify', 'delete', 'rename', 'share', 'execute'] as const)
        expect([right, past.drive.may(right, at('/x'))]).toEqual([right, false])
      expect(await refusal(past.drive.makeFolder(at('/x')))).toBe('forbidden')
      expect(await refusal(past.drive.remove(at('/x')))).toBe('forbidden')
    }
    expect(readOnly(access)).toBe(readOnly(access))
    await snapshots.stop()
  })
})

/** A path with dots is refused before anything else. */
function refusalOf(path: string): string {
  return path.includes('..') ? 'invalid-input' : 'not-found'
}

function fail(): never {
  throw new Error('there is no such disk')
}
