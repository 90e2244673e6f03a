import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { dav, type DavRequest } from './dav-calls.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD } from './world.ts'

setDefaultTimeout(60_000)

const TRASH = '/remote.php/dav/trashbin/ann/trash'
const RESTORE = '/remote.php/dav/trashbin/ann/restore'

onEachStorage((product) => {
  const call = (what: string, options: DavRequest = {}) => dav(product(), what, { at: '', ...options })
  const status = async (what: string, options?: DavRequest) => (await call(what, options)).status
  const list = async (options: DavRequest = {}) => {
    const text = await (await call(`PROPFIND ${TRASH}/`, { ...options, headers: { depth: '1' } })).text()
    const entries = [...text.matchAll(/<d:href>([^<]*\/trash\/([0-9a-f-]{36})\/?)<\/d:href>.*?<nc:trashbin-original-location>([^<]*)</gs)]
    return new Map(entries.map(([, href = '', id = '', location = '']) => [location, { href, id }]))
  }
  const limited = async (missing: Partial<typeof EVERYTHING>, folder?: string) => {
    const perm = folder === undefined ? EVERYTHING : { ...EVERYTHING, admin: false, execute: false }
    const body = { name: 't', perm: { ...perm, ...missing }, current_password: PASSWORD, ...(folder !== undefined && { folder }) }
    return (await product().as('ann').tokens.create({ body })).token
  }

  describe('the trash of sync clients', () => {
    it('lists what its person deleted, restores it to where it was, and removes it for good', async () => {
      await product().seed({ '/a & b.txt': 'a', '/folder/deep/c.txt': 'c', '/gone.txt': 'g' })
      for (const path of ['/a%20&%20b.txt', '/folder/deep', '/gone.txt']) await call(`DELETE /remote.php/dav/files/ann${path}`)
      const found = await list()
      expect([...found.keys()].toSorted()).toEqual(['a &amp; b.txt', 'folder/deep', 'gone.txt'])
      const folder = found.get('folder/deep')?.href ?? ''
      expect(folder).toEndWith('/')
      expect(await status(`MOVE ${folder}`, { headers: { destination: `${RESTORE}/deep` } })).toBe(201)
      // Its place is taken meanwhile.
      await product().seed({ '/a & b.txt': 'another' })
      const taken = found.get('a &amp; b.txt')?.href ?? ''
      expect(await status(`MOVE ${taken}`, { headers: { destination: `http://localhost${RESTORE}/whatever`, overwrite: 'T' } })).toBe(201)
      expect(await product().read('/folder/deep/c.txt')).toBe('c')
      expect([await product().read('/a & b.txt'), await product().read('/a & b(1).txt')]).toEqual(['another', 'a'])
      expect(await status(`DELETE ${found.get('gone.txt')?.href}`)).toBe(204)
      expect((await list()).size).toBe(0)
      expect([
        await status(`DELETE ${found.get('gone.txt')?.href}`),
        await status(`MOVE ${taken}`, { headers: { destination: '/x' } }),
      ]).toEqual([404, 400])
    })

    it('is emptied at once, and tells the number of no deletion of others', async () => {
      await product().seed({ '/a.txt': 'a', '/b.txt': 'b', '/eve/e.txt': 'e' })
      await product().add('eve', { scope: '/eve' })
      await call('DELETE /remote.php/dav/files/ann/a.txt')
      await call('DELETE /remote.php/dav/files/ann/b.txt')
      await call('DELETE /remote.php/dav/files/eve/e.txt', { as: 'eve' })
      expect((await list()).size).toBe(2)
      const [first] = [...(await list()).values()]
      const eves = `/remote.php/dav/trashbin/eve/trash/${first?.id}`
      expect(await status(`DELETE ${eves}`, { as: 'eve' })).toBe(404)
      expect(await status(`PROPFIND ${TRASH}/`, { as: 'eve', headers: { depth: '1' } })).toBe(404)
      expect(await status(`DELETE ${TRASH}`)).toBe(204)
      expect((await list()).size).toBe(0)
      expect((await product().as('eve').trash.list({ query: {} })).entries).toHaveLength(1)
    })

    it('needs the rights of the web: those of the person, of rules, and of a token, which has to be for all files', async () => {
      await product().seed({ '/a.txt': 'a', '/sub/b.txt': 'b' })
      await call('DELETE /remote.php/dav/files/ann/a.txt')
      const { href = '' } = (await list()).get('a.txt') ?? {}
      const restore = { headers: { destination: `${RESTORE}/a.txt` } }
      expect(await status(`MOVE ${href}`, { ...restore, password: await limited({ create: false }) })).toBe(403)
      const keeping = await limited({ delete: false })
      expect([await status(`DELETE ${href}`, { password: keeping }), await status(`DELETE ${TRASH}`, { password: keeping })]).toEqual([
        403, 403,
      ])
      const narrow = await limited({}, '/sub')
      for (const what of [`PROPFIND ${TRASH}/`, `DELETE ${href}`, `DELETE ${TRASH}`, `MOVE ${href}`])
        expect([what, await status(what, { ...restore, password: narrow })]).toEqual([what, 403])
      await product().world.settings.change((before) => ({ ...before, rules: [deny('/a.txt')] }))
      expect(await status(`MOVE ${href}`, restore)).toBe(404)
      expect((await list()).size).toBe(0)
    })
  })
})
