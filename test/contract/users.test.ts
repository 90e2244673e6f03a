import { describe, expect, it } from 'bun:test'
import { onEachStorage, PASSWORD } from './world.ts'

const ADMINISTERED = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules', 'id', 'passwordHash', 'authEpoch', 'disabled']

onEachStorage((product) => {
  const put = (id: number | string, body: unknown, who = 'ann') =>
    product().ask(`/api/users/${id}`, { method: 'PUT', who, body: JSON.stringify(body), headers: { accept: 'application/json' } })
  const change = (which: string[], data: Record<string, unknown>) => ({ what: 'user', which, data })
  const annId = async () => (await product().account('ann')).id

  describe('one’s own record', () => {
    it('is read without what is nobody’s business', async () => {
      const id = await annId()
      const response = await product().ask(`/api/users/${id}`, { who: 'ann' })
      const text = await response.text()
      expect(JSON.parse(text)).toMatchObject({ id, username: 'ann', password: '', scope: '', lockPassword: false })
      for (const secret of ['argon2', 'hash', 'epoch', 'Epoch', PASSWORD]) expect(text).not.toContain(secret)
    })

    it('is changed field by field, and asks for a renewal', async () => {
      const id = await annId()
      const before = await product()
        .as('ann')
        .users.get({ params: { id: String(id) } })
      expect(
        (
          await put(
            id,
            change(['locale', 'hideDotfiles', 'singleClick'], { locale: 'de', hideDotfiles: true, singleClick: true, viewMode: 'mosaic' }),
          )
        ).status,
      ).toBe(200)
      expect((await put(id, change(['sorting', 'viewMode'], { sorting: { by: 'size', asc: true }, viewMode: 'list' }))).status).toBe(200)
      const after = await product()
        .as('ann')
        .users.get({ params: { id: String(id) } })
      expect(after).toEqual({
        ...before,
        locale: 'de',
        hideDotfiles: true,
        singleClick: true,
        sorting: { by: 'size', asc: true },
        viewMode: 'list',
      })
      expect((await product().ask('/api/resources/', { who: 'ann' })).headers.get('x-renew-token')).toBe('true')
    })

    it('says how folders are sorted and whether dotfiles are seen, with the next call', async () => {
      await product().seed({ '/big.txt': 'xxxx', '/a.txt': '', '/.hidden': '' })
      await put(await annId(), change(['sorting', 'hideDotfiles'], { sorting: { by: 'size', asc: true }, hideDotfiles: true }))
      expect(await (await product().ask('/api/resources/', { who: 'ann' })).json()).toMatchObject({
        sorting: { by: 'size', asc: true },
        numFiles: 2,
        items: [{ name: 'a.txt' }, { name: 'big.txt' }],
      })
    })

    it('never changes in what administrators decide, however it is asked (GHSA-hxw8-4h9j-hq2r)', async () => {
      const id = await annId()
      const before = await product().db.selectFrom('users').selectAll().execute()
      for (const field of ADMINISTERED)
        for (const name of [field, field.slice(0, 1).toUpperCase() + field.slice(1)])
          for (const which of [[name], ['locale', name], []]) {
            const data = { locale: '', [name]: name.toLowerCase() === 'perm' ? { admin: true } : true }
            expect((await put(id, change(which, data))).status).toBeGreaterThanOrEqual(400)
          }
      expect((await put(id, change(['all'], { perm: { admin: true } }))).status).toBe(403)
      expect((await put(id, change(['locale', '__proto__', 'constructor'], { locale: 'de' }))).status).toBe(400)
      expect((await put(id, change(['locale'], { id: 1, locale: 'de' }))).status).toBe(400)
      expect(await product().db.selectFrom('users').selectAll().execute()).toEqual(before)
    })

    it('is not changed by what is not written in the list', async () => {
      const id = await annId()
      expect((await put(id, change(['locale'], { locale: 'fr', hideDotfiles: true, perm: { admin: true } }))).status).toBe(200)
      expect(await product().account('ann')).toMatchObject({ locale: 'fr', hideDotfiles: false, perm: { admin: false } })
    })

    it('is not changed by what does not fit', async () => {
      const id = await annId()
      for (const data of [{ locale: 1 }, { locale: 'x'.repeat(65) }, { locale: null }, {}])
        expect((await put(id, change(['locale'], data))).status).toBe(400)
      for (const data of [{ sorting: { by: 'owner', asc: true } }, { sorting: 'name' }, { sorting: [] }])
        expect((await put(id, change(['sorting'], data))).status).toBe(400)
      for (const body of [
        null,
        [],
        {},
        { what: 'settings', which: ['locale'], data: { locale: '' } },
        { what: 'user', which: 'locale', data: {} },
      ])
        expect((await put(id, body)).status).toBe(400)
      expect(await product().account('ann')).toMatchObject({ locale: '' })
    })
  })

  describe('somebody else’s record', () => {
    it('is for administrators, and tells nobody else whether it is there', async () => {
      const answers = await Promise.all(
        [1, 999_999].map(async (id) => {
          const get = await product().ask(`/api/users/${id}`, { who: 'ann' })
          const update = await put(id, change(['locale'], { locale: 'de' }))
          return [get.status, await get.text(), update.status, await update.text()]
        }),
      )
      expect(answers[0]?.[0]).toBe(403)
      expect(answers[0]).toEqual(answers[1] ?? [])
      expect((await product().account('root')).locale).toBe('')
    })

    it('is shown to administrators with its scope, and missing where there is none', async () => {
      expect(
        await product()
          .as('root')
          .users.get({ params: { id: String(await annId()) } }),
      ).toMatchObject({ username: 'ann', scope: '/' })
      for (const id of ['999999', '0', '-1', '1e3', '1.0', 'ann', '99999999999999999999', '%31%30%30', '+1'])
        expect([id, (await product().ask(`/api/users/${id}`, { who: 'root' })).status]).toEqual([id, 404])
    })
  })
})
