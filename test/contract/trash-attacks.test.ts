import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { accessOf, NOTHING_GRANTED } from '../../src/server/users/access-of.ts'
import { onEachStorage, type Product, startProduct } from './world.ts'
import { listed, refusal, remove, restore } from './trash-calls.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/sub/b.txt': 'bb', '/other.txt': 'other' }

onEachStorage((product) => {
  describe('races', () => {
    it('of restoring and removing one entry: one of them wins, and the node is in one place or gone', async () => {
      for (let round = 0; round < 10; round++) {
        await product().seed({ '/r/a.txt': 'a', '/r/b.txt': 'b' })
        await remove(product(), 'ann', '/r')
        const [entry] = await listed(product(), 'ann')
        const id = entry?.id ?? ''
        const results = await Promise.all([
          refusal(restore(product(), 'ann', entry)),
          refusal(product().as('ann').trash.remove({ params: { id } })),
          refusal(restore(product(), 'root', entry, { to: '/other' })),
          refusal(
            product()
              .as('ann')
              .operations.undo({ params: { group: entry?.group ?? '' } }),
          ),
        ])
        const [first, removed, second] = results
        const places = await Promise.all(['/r', '/other'].map((path) => product().storage.stat(at(path))))
        const kept = await product().storage.keptNodes('trash')
        expect([places.filter((stat) => stat !== null).length + (removed === 'none' ? 1 : 0), kept]).toEqual([1, []])
        for (const code of [removed, second]) expect(['none', 'not-found']).toContain(code)
        // Undo may have put it back a moment before.
        expect(['none', 'not-found', 'already-exists']).toContain(first)
        for (const path of ['/r', '/other'])
          await refusal(
            product()
              .as('root')
              .resources.remove({ params: { path: at(path) }, query: { permanent: 'true' } }),
          )
      }
    })

    it('of deleting one node: it is in the trash once', async () => {
      await product().seed(TREE)
      const codes = await Promise.all(['ann', 'root', 'ann', 'root'].map((who) => refusal(remove(product(), who, '/docs'))))
      expect(codes.toSorted()).toEqual(['none', 'not-found', 'not-found', 'not-found'])
      expect(await listed(product(), 'root', { all: 'true' })).toHaveLength(1)
      expect(await product().storage.keptNodes('trash')).toHaveLength(1)
    })

    it('of restoring to one name: nothing is replaced', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs/a.txt')
      await remove(product(), 'ann', '/other.txt')
      const entries = await listed(product(), 'ann')
      const codes = await Promise.all(entries.map((entry) => refusal(restore(product(), 'ann', entry, { to: '/new/x' }))))
      expect(codes.toSorted()).toEqual(['already-exists', 'none'])
      expect(await listed(product(), 'ann')).toHaveLength(1)
    })
  })

  it('a known id gives access to an entry only where the check of its path is off', async () => {
    await product().seed(TREE)
    const carl = await product().add('carl', { scope: '/pub' })
    await product().seed({ '/pub/': '' })
    await remove(product(), 'ann', '/docs')
    const [docs] = await listed(product(), 'ann')
    const id = docs?.id ?? ''
    expect(await refusal(restore(product(), 'carl', docs, { to: '/mine' }))).toBe('not-found')
    expect(await refusal(product().as('carl').trash.remove({ params: { id } }))).toBe('not-found')
    // The same without the check.
    const access = accessOf(carl, await product().world.settings.read(), NOTHING_GRANTED)
    const [kept] = await product().storage.keptNodes('trash')
    const node = { id, kind: 'folder', place: at('/docs'), path: at('/docs') } as const
    if (kept === undefined) throw new Error('nothing is kept')
    await product()
      .world.driveFor(access, { id: carl.id, name: 'carl' })
      .restore({ ...node, kept }, at('/mine'), { replace: false, rename: false })
    expect(await product().read('/pub/mine/a.txt')).toBe('a')
  })

  it('no path leads into it', async () => {
    await product().seed(TREE)
    await remove(product(), 'ann', '/docs')
    const [docs] = await listed(product(), 'ann')
    for (const path of ['.satchel', '.satchel/trash', `.satchel/trash/${docs?.id}`, `.satchel/trash/${docs?.id}/docs/a.txt`]) {
      for (const address of [`/api/resources/${path}`, `/api/raw/${path}`, `/api/usage/${path}`])
        expect([address, (await product().ask(address, { who: 'root' })).status]).toEqual([address, 404])
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect((await product().ask(`/api/resources/${path}`, { method, who: 'root', body: 'x' })).status).toBe(404)
      expect(await refusal(restore(product(), 'root', docs, { to: `/${path}/x` }))).toBe('not-found')
    }
    for (const id of ['..', '../..', '%2e%2e', `${docs?.id}/docs`, '0', 'x'.repeat(5000)])
      expect((await product().ask(`/api/trash/${encodeURIComponent(id)}`, { method: 'DELETE', who: 'root' })).status).toBe(404)
    expect(await listed(product(), 'ann')).toHaveLength(1)
  })
})

describe('somebody who writes to the disk', () => {
  /** A folder outside, which must stay as it is. */
  async function outside(product: Product): Promise<string> {
    const folder = join(product.root, '..', `outside-${crypto.randomUUID()}`)
    await mkdir(join(folder, 'trash', 'id'), { recursive: true })
    await writeFile(join(folder, 'trash', 'id', 'precious'), 'precious')
    return folder
  }
  const contentOf = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).toSorted()

  it('cannot lead a deletion out of the served folder by a link in the place of the trash', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed(TREE)
    const folder = await outside(product)
    const before = await contentOf(folder)
    await remove(product, 'ann', '/other.txt')
    for (const [name, target] of [
      ['.satchel/trash', join(folder, 'trash')],
      ['.satchel', folder],
    ] as const) {
      const place = join(product.root, name)
      await rename(place, `${place}-aside`)
      await symlink(target, place)
      await refusal(remove(product, 'ann', '/docs/a.txt'))
      await product.world.recover()
      await product.world.tidy()
      await refusal(product.as('ann').trash.empty({ query: {} }))
      expect(await contentOf(folder)).toEqual(before)
      await rm(place)
      await rename(`${place}-aside`, place)
      await product.seed({ '/docs/a.txt': 'a' })
    }
  })

  it('restores a link that they put into the trash as a link, which leads nowhere for anybody', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed(TREE)
    const folder = await outside(product)
    await remove(product, 'ann', '/docs')
    const [docs] = await listed(product, 'ann')
    const place = join(product.root, '.satchel/trash', docs?.id ?? '', 'docs')
    await rm(place, { recursive: true })
    await symlink(folder, place)
    await product.world.tidy()
    await refusal(restore(product, 'ann', docs))
    expect((await product.ask('/api/resources/docs/trash/id/precious', { who: 'ann' })).status).toBe(404)
    await refusal(remove(product, 'ann', '/docs'))
    await product.as('ann').trash.empty({ query: {} })
    await Bun.sleep(300)
    expect(await contentOf(folder)).toEqual(['trash', 'trash/id', 'trash/id/precious'])
  })
})
