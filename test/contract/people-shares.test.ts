import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { ShareRole } from '../../src/shared/contract/people-shares.ts'
import { ROLES } from '../../src/shared/contract/rights.ts'
import { TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { deny, EVERYTHING, HOUR_MS, onEachStorage } from './world.ts'

setDefaultTimeout(60_000)

const FILES = {
  '/ann/docs/a.txt': 'the text of a',
  '/ann/docs/deep/b.txt': 'the text of b',
  '/ann/docs/secret/s.txt': 'hidden-7f3a',
  '/ann/other.txt': 'hidden-7f3a',
  '/eve/own.txt': 'eve’s own',
}

onEachStorage((product) => {
  const share = async (
    path: string,
    role: ShareRole,
    more: { who?: string; group?: number; expire?: number; message?: string; by?: string } = {},
  ) => {
    const { who = 'eve', group, by = 'ann', ...terms } = more
    const recipient =
      group === undefined ? { kind: 'user' as const, id: (await product().account(who)).id } : { kind: 'group' as const, id: group }
    const made = await product()
      .as(by)
      .peopleShares.create({ params: { path: at(path) }, body: { who: recipient, role, ...terms } })
    return made.id
  }
  const ask = (id: string, path: string, init: RequestInit & { who?: string } = {}) =>
    product().ask(`/with-me/${id}${path}`, { who: 'eve', ...init })
  const status = async (id: string, path: string, init: RequestInit & { who?: string } = {}) => {
    const response = await ask(id, path, init)
    await response.body?.cancel()
    return response.status
  }
  const isOpen = async (id: string) => (await status(id, '/api/raw/a.txt')) === 200
  const prepare = async () => {
    await product().seed(FILES)
    await product().setScope('ann', '/ann')
    await product().add('eve', { may: NO_RIGHTS, scope: '/eve' })
  }

  describe('a folder that is shared with a person', () => {
    it('is listed with what is needed to know it, and opens like a folder of their own', async () => {
      await prepare()
      const id = await share('/docs', 'viewer', { message: 'Look at this' })
      const [received, ...others] = await product().as('eve').peopleShares.received({})
      expect(received).toMatchObject({
        id,
        name: 'docs',
        folder: true,
        owner: 'ann',
        group: '',
        role: 'viewer',
        message: 'Look at this',
        expire: 0,
      })
      expect(others).toEqual([])
      expect(await (await ask(id, '/api/raw/deep/b.txt')).text()).toBe('the text of b')
      const listing = await (await ask(id, '/api/resources/')).text()
      expect(listing).toContain('a.txt')
      expect(listing).not.toContain('other.txt')
      expect(await (await ask(id, '/api/search/?query=b.txt')).text()).toContain('deep/b.txt')
      expect(await status(id, '/api/resources/new.txt', { method: 'POST', body: 'new' })).toBe(403)
      // What is outside stays what it was.
      expect(
        await product()
          .ask('/api/raw/own.txt', { who: 'eve' })
          .then(({ status: code }) => code),
      ).toBe(202)
    })

    it('gives the rights of its role, whatever the account may elsewhere, and no more than its owner has', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      expect(await status(id, '/api/resources/new.txt', { method: 'POST', body: 'new' })).toBe(200)
      expect(await product().read('/ann/docs/new.txt')).toBe('new')
      expect(await status(id, '/api/resources/new.txt', { method: 'PUT', body: 'newer' })).toBe(200)
      expect(await status(id, '/api/resources/new.txt?action=rename&destination=/moved.txt', { method: 'PATCH' })).toBe(200)
      expect(await status(id, '/api/resources/moved.txt', { method: 'DELETE' })).toBe(200)
      const contributor = await share('/docs/deep', 'contributor')
      expect(await status(contributor, '/api/resources/c.txt', { method: 'POST', body: 'c' })).toBe(200)
      expect(await status(contributor, '/api/resources/c.txt', { method: 'DELETE' })).toBe(403)
      await product().setRights('ann', { ...EVERYTHING, delete: false })
      expect(await status(id, '/api/resources/a.txt', { method: 'DELETE' })).toBe(403)
      await product().setRights('ann', { ...EVERYTHING, download: false })
      expect(await status(id, '/api/raw/a.txt')).toBe(202)
    })

    it('tells what may be done in it, because the account says something else', async () => {
      await prepare()
      const id = await share('/docs', 'contributor')
      const rows = await ask(id, '/api/resources/', { headers: { accept: 'application/vnd.satchel.rows+json' } })
      expect(JSON.parse(await rows.text())).toMatchObject({ rights: ['create', 'download'] })
    })

    it('knows what can be taken back in it, apart from what was done in one’s own folder; and the quotas of the recipient', async () => {
      await prepare()
      await product().setRights('eve', EVERYTHING)
      const id = await share('/docs', 'editor')
      const { cookie, token } = await product().signInWeb('eve')
      const web = (address: string, method = 'GET') =>
        product().ask(address, { method, headers: { cookie, 'x-auth': token, 'sec-fetch-site': 'same-origin' } })
      const latest = async (base: string) => ((await (await web(`${base}/api/operations/latest`)).json()) as { undo: unknown }).undo
      expect((await web(`/with-me/${id}/api/resources/a.txt`, 'DELETE')).status).toBe(200)
      expect(await latest('')).toBe(null)
      expect((await web('/api/resources/own.txt?action=rename&destination=/mine.txt', 'PATCH')).status).toBe(200)
      expect(await latest(`/with-me/${id}`)).toMatchObject({ total: 1, items: [{ kind: 'delete', path: '/a.txt' }] })
      expect(await latest('')).toMatchObject({ total: 1, items: [{ path: '/mine.txt' }] })
      expect(await (await web(`/with-me/${id}/api/quotas/mine`)).json()).toEqual([])
      await product().as('ann').peopleShares.remove({ params: { id } })
      expect((await web(`/with-me/${id}/api/operations/latest`)).status).toBe(404)
    })

    it('takes uploads in parts at its own address, apart from uploads to one’s own folder', async () => {
      await prepare()
      await product().setRights('eve', EVERYTHING)
      const id = await share('/docs', 'editor')
      const head = { 'tus-resumable': TUS_VERSION }
      const made = await ask(id, '/api/tus/film.bin', { method: 'POST', headers: { ...head, 'upload-length': '4' } })
      const location = made.headers.get('location') ?? ''
      expect(location).toStartWith(`/with-me/${id}/api/tus/film.bin`)
      expect(
        await product()
          .ask(location.replace(`/with-me/${id}`, ''), { who: 'eve', method: 'HEAD', headers: head })
          .then((r) => r.status),
      ).toBe(404)
      const sent = {
        method: 'PATCH',
        headers: { ...head, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: 'film',
      }
      expect((await product().ask(location, { who: 'eve', ...sent })).status).toBe(204)
      expect(await product().read('/ann/docs/film.bin')).toBe('film')
    })

    it('follows a rename and a move by its owner, and ends with its folder, until that is restored', async () => {
      await prepare()
      const id = await share('/docs', 'viewer')
      const ann = product().as('ann')
      await ann.resources.transfer({ params: { path: at('/docs') }, query: { action: 'rename', destination: '/papers' } })
      expect(await isOpen(id)).toBe(true)
      expect((await product().as('eve').peopleShares.received({}))[0]?.name).toBe('papers')
      await ann.resources.remove({ params: { path: at('/papers') } })
      expect(await isOpen(id)).toBe(false)
      expect(await product().as('eve').peopleShares.received({})).toEqual([])
      const [deleted] = (await ann.trash.list({ query: {} })).entries
      await ann.trash.restore({ params: { id: deleted?.id ?? '' }, body: {} })
      expect(await isOpen(id)).toBe(true)
    })

    it('is not a link: visitors, and calls about links, do not know it', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      expect(await status(id, '/api/raw/a.txt', { who: undefined })).toBe(401)
      for (const path of [`/api/public/share/${id}`, `/api/public/dl/${id}`]) expect((await product().ask(path)).status).toBe(404)
      expect(await product().as('ann').shares.mine({})).toEqual([])
      expect(
        await product()
          .as('ann')
          .shares.ofPath({ params: { path: at('/docs') } }),
      ).toEqual([])
      expect((await product().ask(`/api/share/${id}`, { who: 'ann', method: 'DELETE' })).status).toBe(404)
      expect(await isOpen(id)).toBe(true)
    })
  })

  describe('a file that is shared', () => {
    it('is alone in its folder, and can be changed but not renamed or deleted', async () => {
      await prepare()
      const id = await share('/docs/a.txt', 'editor')
      expect(await (await ask(id, '/api/raw/a.txt')).text()).toBe('the text of a')
      expect(await (await ask(id, '/api/resources/')).json()).toMatchObject({ numDirs: 0, numFiles: 1, items: [{ name: 'a.txt' }] })
      expect(await status(id, '/api/resources/a.txt', { method: 'PUT', body: 'new' })).toBe(200)
      expect(await product().read('/ann/docs/a.txt')).toBe('new')
      expect(await isOpen(id)).toBe(true)
      const before = await product().snapshot()
      for (const path of ['/deep', '/deep/b.txt', '/secret/s.txt', '/none'])
        expect([path, await status(id, `/api/raw${path}`)]).toEqual([path, 404])
      expect(await status(id, '/api/resources/a.txt', { method: 'DELETE' })).toBe(403)
      expect(await status(id, '/api/resources/b.txt', { method: 'POST', body: 'x' })).toBe(403)
      expect(await status(id, '/api/resources/a.txt?action=rename&destination=/b.txt', { method: 'PATCH' })).toBe(403)
      expect(await product().snapshot()).toEqual(before)
    })
  })

  describe('a share ends to give access', () => {
    const ENDS: Record<string, () => Promise<unknown>> = {
      'its owner may share no more': () => product().setRights('ann', { ...EVERYTHING, share: false }),
      'its owner is disabled': async () => product().world.users.setDisabled((await product().account('ann')).id, { disabled: true }),
      'its owner is deleted': async () =>
        product()
          .as('root')
          .users.remove({ params: { id: String((await product().account('ann')).id) }, body: '' }),
      'a rule denies the folder to its owner': () => product().setRules('ann', [deny('/docs')]),
      'its owner has another folder': () => product().setScope('ann', '/eve'),
      'its end has come': async () => product().pass(2 * HOUR_MS),
    }
    for (const [says, happens] of Object.entries(ENDS))
      it(`when ${says}`, async () => {
        await prepare()
        const expire = Math.floor(Date.now() / 1000) + 3600
        const id = await share('/docs', 'viewer', { expire })
        expect(await isOpen(id)).toBe(true)
        await happens()
        product().pass(1100)
        const response = await product().ask(`/with-me/${id}/api/raw/a.txt`, { who: 'eve' })
        // After two hours the sign-in has ended as well.
        expect([401, 404]).toContain(response.status)
      })

    it('when its owner or an administrator removes it, or the recipient leaves it; nobody else can', async () => {
      await prepare()
      await product().add('ben')
      for (const who of ['ann', 'root', 'eve']) {
        const id = await share('/docs', 'viewer')
        expect(await refusal(product().as('ben').peopleShares.remove({ params: { id } }))).toBe('not-found')
        expect(
          await refusal(
            product()
              .as('ben')
              .peopleShares.change({ params: { id }, body: { role: 'editor' } }),
          ),
        ).toBe('not-found')
        await product().as(who).peopleShares.remove({ params: { id } })
        expect(await isOpen(id)).toBe(false)
      }
    })

    it('of a group with the membership, and with the group', async () => {
      await prepare()
      const root = product().as('root')
      const { id: group } = await root.groups.create({ body: { name: 'team' } })
      const eve = String((await product().account('eve')).id)
      const member = { params: { id: String(group), user: eve }, body: {} }
      await root.groups.addMember(member)
      await root.groups.addMember({ ...member, params: { ...member.params, user: String((await product().account('ann')).id) } })
      const id = await share('/docs', 'viewer', { group })
      expect((await product().as('eve').peopleShares.received({}))[0]?.group).toBe('team')
      expect(await isOpen(id)).toBe(true)
      await root.groups.removeMember(member)
      expect(await isOpen(id)).toBe(false)
      await root.groups.addMember(member)
      expect(await isOpen(id)).toBe(true)
      await root.groups.remove({ params: { id: String(group) }, body: {} })
      expect(await isOpen(id)).toBe(false)
      expect(await product().as('ann').peopleShares.mine({})).toEqual([])
    })
  })

  describe('a recipient does not leave what is shared', () => {
    it('by dots, links, moves, copies, archives, jobs, searches or versions', async () => {
      await prepare()
      await product().link('/ann/docs/out', '../other.txt')
      await product().link('/ann/docs/up', '..')
      const id = await share('/docs', 'editor')
      const secrets: string[] = []
      const look = async (path: string, init: RequestInit = {}) => {
        const response = await ask(id, path, init)
        secrets.push(await response.text())
        return response.status
      }
      for (const path of ['/../other.txt', '/%2e%2e/other.txt', '/..%2fother.txt', '/out', '/up/other.txt', '/deep/../../other.txt'])
        for (const call of ['raw', 'resources', 'preview/thumb', 'versions', 'subtitle']) {
          // A link that leads out is described as a link, without what it points to.
          const isLink = call === 'resources' && path === '/out'
          expect([call, path, (await look(`/api/${call}${path}`)) === 200]).toEqual([call, path, isLink])
        }
      const before = await product().snapshot()
      for (const to of ['/../x.txt', '/%2e%2e/x.txt', '/up/x.txt', '/out'])
        for (const action of ['copy', 'rename'])
          expect(await look(`/api/resources/a.txt?action=${action}&destination=${to}&override=true`, { method: 'PATCH' })).not.toBe(200)
      expect(await look('/api/resources/', { method: 'DELETE' })).toBe(403)
      expect(await look('/api/resources/up/x.txt', { method: 'POST', body: 'x' })).not.toBe(200)
      expect(await product().snapshot()).toEqual(before)
      await look('/api/raw/?algo=tar')
      await look('/api/search/?query=other')
      await look('/api/sizes/')
      await look('/api/largest/')
      expect(secrets.slice(0, -4).join()).not.toContain('hidden-7f3a')
      expect(secrets.join()).not.toContain('other.txt')
    })

    it('by calls about accounts, links, the trash or the history: they are not answered there', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      for (const path of [
        '/api/trash',
        '/api/operations',
        '/api/shares',
        '/api/share/a.txt',
        '/api/people-share/a.txt',
        '/api/settings',
        '/api/users',
      ])
        expect([path, await status(id, path)]).toEqual([path, 403])
      expect(await status(id, '/api/share/a.txt', { method: 'POST', body: '{}' })).toBe(403)
      expect(await status(id, '/api/people-shares')).toBe(403)
      expect(await status(id, '/api/with-me')).toBe(200)
    })

    it('by a job that goes on when the share has ended', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      const job = { kind: 'copy', items: [{ from: '/a.txt', to: '/copy.txt' }] }
      expect(await status(id, '/api/jobs', { method: 'POST', body: JSON.stringify(job) })).toBe(200)
      await until(
        async () =>
          (await product()
            .read('/ann/docs/copy.txt')
            .catch(() => '')) === 'the text of a',
      )
      await product().as('ann').peopleShares.remove({ params: { id } })
      expect(await status(id, '/api/jobs', { method: 'POST', body: JSON.stringify(job) })).toBe(404)
      // Its paths do not mean the recipient's own tree.
      await expect(product().read('/eve/copy.txt')).rejects.toBeDefined()
    })

    it('by undoing after the share has ended what they did in it', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      const done = await ask(id, '/api/resources/a.txt', { method: 'DELETE' })
      const operation = done.headers.get('x-satchel-operation') ?? ''
      expect(operation).not.toBe('')
      expect(await status(id, `/api/operations/${operation}/undo`, { method: 'POST' })).toBe(200)
      expect(await product().read('/ann/docs/a.txt')).toBe('the text of a')
      await ask(id, '/api/resources/deep/b.txt', { method: 'DELETE' })
      expect((await product().as('eve').trash.list({ query: {} })).entries).toEqual([])
      await product().as('ann').peopleShares.remove({ params: { id } })
      for (const base of [`/with-me/${id}`, '']) {
        const latest = await product().ask(`${base}/api/operations/${operation}/redo`, { who: 'eve', method: 'POST' })
        await latest.body?.cancel()
        expect(await product().read('/ann/docs/a.txt')).toBe('the text of a')
      }
    })
  })

  describe('rules that deny', () => {
    it('stay in force: the owner’s, everybody’s, and those of the recipient', async () => {
      await prepare()
      await product().setRules('ann', [deny('/docs/secret')])
      const id = await share('/docs', 'editor')
      expect(await status(id, '/api/raw/secret/s.txt')).toBe(404)
      // A recipient who sees the whole storage, but for two folders.
      await product().add('ben', { rules: [deny('/ann/docs/deep')] })
      const bens = await share('/docs', 'viewer', { who: 'ben' })
      expect(await status(bens, '/api/raw/a.txt', { who: 'ben' })).toBe(200)
      expect(await status(bens, '/api/raw/deep/b.txt', { who: 'ben' })).toBe(404)
      expect(await (await ask(bens, '/api/search/?query=b.txt', { who: 'ben' })).text()).not.toContain('deep')
      await product().setRules('ben', [deny('/ann/docs')])
      expect(await product().as('ben').peopleShares.received({})).toEqual([])
      expect(await status(bens, '/api/raw/a.txt', { who: 'ben' })).toBe(404)
    })

    it('and what the owner may not share below it is not shared', async () => {
      await prepare()
      const ann = await product().account('ann')
      await product()
        .as('root')
        .grants.set({ body: { who: { kind: 'user', id: ann.id }, regex: false, path: '/ann/docs/deep', rights: [...ROLES.editor] } })
      const id = await share('/docs', 'editor')
      expect(await isOpen(id)).toBe(true)
      expect(await status(id, '/api/raw/deep/b.txt')).toBe(404)
      expect(await (await ask(id, '/api/resources/')).text()).not.toContain('deep')
    })
  })

  describe('who shares', () => {
    it('needs the right, and a recipient who is there', async () => {
      await prepare()
      const ann = product().as('ann')
      const { id: self } = await product().account('ann')
      const { id: eve } = await product().account('eve')
      const params = { path: at('/docs') }
      for (const who of [
        { kind: 'user' as const, id: self },
        { kind: 'user' as const, id: 9999 },
        { kind: 'group' as const, id: 9999 },
      ])
        expect(await refusal(ann.peopleShares.create({ params, body: { who, role: 'viewer' } }))).toBe('invalid-input')
      const past = { who: { kind: 'user' as const, id: eve }, role: 'viewer' as const, expire: 1 }
      expect(await refusal(ann.peopleShares.create({ params, body: past }))).toBe('invalid-input')
      await product().setRights('ann', { ...EVERYTHING, share: false })
      expect(await refusal(share('/docs', 'viewer'))).toBe('forbidden')
    })

    it('sees, changes and ends their shares; administrators see all; again with the same person changes the share', async () => {
      await prepare()
      const id = await share('/docs', 'viewer', { message: 'Hello' })
      expect(await share('/docs', 'editor')).toBe(id)
      const [mine] = await product().as('ann').peopleShares.mine({})
      expect(mine).toMatchObject({ id, path: '/docs/', role: 'editor', message: '', who: { kind: 'user', name: 'eve' }, broken: false })
      expect(
        (
          await product()
            .as('ann')
            .peopleShares.ofPath({ params: { path: at('/docs') } })
        ).length,
      ).toBe(1)
      expect((await product().as('root').peopleShares.mine({})).map((one) => [one.id, one.owner.name])).toEqual([[id, 'ann']])
      await product()
        .as('ann')
        .peopleShares.change({ params: { id }, body: { role: 'viewer', message: 'Again' } })
      expect(await status(id, '/api/resources/x.txt', { method: 'POST', body: 'x' })).toBe(403)
      const { entries } = await product().as('root').audit.list({ query: {} })
      expect(entries.filter(({ kind }) => kind.includes('share-')).map(({ kind }) => kind)).toEqual([
        'people-share-changed',
        'people-share-changed',
        'people-share-created',
      ])
    })

    it('finds people by the beginning of the name or all of it, no addresses, and not without end', async () => {
      await prepare()
      await product().add('evelyn')
      await product().add('e')
      const find = async (text: string) => (await product().as('ann').peopleShares.find({ query: { text } })).map(({ name }) => name)
      expect(await find('ev')).toEqual(['eve', 'evelyn'])
      expect(await find('EVE')).toEqual(['eve', 'evelyn'])
      expect(await find('e')).toEqual(['e'])
      expect(await find('%%')).toEqual([])
      expect(await find('ann')).toEqual([])
      await product().world.users.setDisabled((await product().account('eve')).id, { disabled: true })
      expect(await find('eve')).toEqual(['evelyn'])
      await product()
        .as('root')
        .groups.create({ body: { name: 'evening' } })
      expect(await find('eve')).toEqual(['evelyn'])
      expect(
        (
          await product()
            .as('root')
            .peopleShares.find({ query: { text: 'even' } })
        )[0]?.kind,
      ).toBe('group')
      product().stopClock()
      const many = await Promise.all(Array.from({ length: 60 }, () => refusal(find('ev'))))
      expect(many).toContain('too-many-requests')
      expect(
        await refusal(
          product()
            .as('eve')
            .peopleShares.find({ query: { text: 'an' } }),
        ),
      ).not.toBe('done')
    })

    it('by a token gives no more than the token may, and a token for one folder opens no share', async () => {
      await prepare()
      const id = await share('/docs', 'editor')
      const made = async (perm: object, folder: string) =>
        (
          await product()
            .as('eve')
            .tokens.create({ body: { name: 'script', perm: { ...NO_RIGHTS, ...perm, execute: false }, folder } })
        ).token
      await product().setRights('eve', EVERYTHING)
      const by = (token: string, path: string, init: RequestInit = {}) =>
        product()
          .ask(`/with-me/${id}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
          .then((r) => r.status)
      const reading = await made({ download: true }, '/')
      expect(await by(reading, '/api/raw/a.txt')).toBe(200)
      expect(await by(reading, '/api/resources/a.txt', { method: 'DELETE' })).toBe(403)
      await product().seed({ '/eve/in/x.txt': 'x' })
      expect(await by(await made(EVERYTHING, '/in'), '/api/raw/a.txt')).toBe(404)
    })
  })
})

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return isAppError(error) ? error.code : Promise.reject(error)
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return
    await Bun.sleep(50)
  }
  throw new Error('it never happened')
}
