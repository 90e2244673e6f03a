import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { type FileRight, ROLES } from '../../src/shared/contract/rights.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { EVERYTHING, onEachStorage, PASSWORD, type Product, withToken } from './world.ts'

setDefaultTimeout(30_000)

const FILES = { '/inbox/old.txt': 'old', '/docs/a.txt': 'a', '/docs/secret/s.txt': 's' }

onEachStorage((product) => {
  describe('groups', () => {
    it('CVE-2026-45543: give their members rights besides their own, and take them back with the membership, at once', async () => {
      await product().seed(FILES)
      await product().add('eve', { may: NO_RIGHTS })
      expect(await status(product(), 'eve', 'GET', '/api/raw/docs/a.txt')).toBe(202)
      const { id } = await group(product(), 'readers', { ...NO_RIGHTS, download: true }, ['eve'])
      expect(await status(product(), 'eve', 'GET', '/api/raw/docs/a.txt')).toBe(200)
      await product()
        .as('root')
        .groups.removeMember({ params: { id: String(id), user: await idOf(product(), 'eve') }, body: {} })
      expect(await status(product(), 'eve', 'GET', '/api/raw/docs/a.txt')).toBe(202)
    })

    it('are one by name, in whatever spelling, and have an order, which decides', async () => {
      const root = product().as('root')
      await product().seed(FILES)
      const [first, second] = [await group(product(), 'Straße', EVERYTHING, ['ann']), await group(product(), 'Two', NO_RIGHTS, ['ann'])]
      expect(await refusal(root.groups.create({ body: { name: 'STRASSE' } }))).toBe('name-taken')
      expect(await refusal(root.groups.create({ body: { name: ' x' } }))).toBe('invalid-input')
      await grant(product(), { kind: 'group', id: first.id }, '/docs', ROLES.viewer)
      await grant(product(), { kind: 'group', id: second.id }, '/docs', ROLES.editor)
      expect(await status(product(), 'ann', 'DELETE', '/api/resources/docs/a.txt')).toBe(200)
      await root.groups.change({ params: { id: String(second.id) }, body: { position: 0 } })
      expect((await root.groups.list({})).map(({ name, members }) => [name, members])).toEqual([
        ['Two', 1],
        ['Straße', 1],
      ])
      expect(await status(product(), 'ann', 'DELETE', '/api/resources/docs/secret')).toBe(403)
    })

    it('have rules between everybody’s and one’s own', async () => {
      await product().seed(FILES)
      const deny = { regex: false, allow: false, path: '/docs/secret', regexp: null }
      const { id } = await group(product(), 'team', NO_RIGHTS, ['ann'])
      await product()
        .as('root')
        .groups.change({ params: { id: String(id) }, body: { rules: [deny] } })
      expect(await status(product(), 'ann', 'GET', '/api/raw/docs/secret/s.txt')).toBe(404)
      await product().setRules('ann', [{ ...deny, allow: true }])
      expect(await status(product(), 'ann', 'GET', '/api/raw/docs/secret/s.txt')).toBe(200)
    })

    it('lose members and roles when they are deleted, and accounts their groups and roles', async () => {
      const root = product().as('root')
      await product().seed(FILES)
      const team = await group(product(), 'team', NO_RIGHTS, ['ann'])
      await grant(product(), { kind: 'group', id: team.id }, '/docs', ROLES.viewer)
      await root.groups.remove({ params: { id: String(team.id) }, body: {} })
      expect(await rows(product(), 'memberships')).toBe(0)
      expect(await rows(product(), 'grants')).toBe(0)
      const eve = await product().add('eve')
      await group(product(), 'others', NO_RIGHTS, ['eve'])
      await grant(product(), { kind: 'user', id: eve.id }, '/docs', ROLES.viewer)
      await root.users.remove({ params: { id: String(eve.id) }, body: '' })
      expect([await rows(product(), 'memberships'), await rows(product(), 'grants')]).toEqual([0, 0])
    })

    it('cannot leave the server without an administrator: the right by a group does not count for that', async () => {
      const admins = await group(product(), 'admins', { ...NO_RIGHTS, admin: true }, ['ann'])
      expect(await status(product(), 'ann', 'GET', '/api/users')).toBe(200)
      expect(await status(product(), 'ann', 'DELETE', `/api/users/${await idOf(product(), 'root')}`)).toBe(403)
      expect(
        (
          await product()
            .as('root')
            .groups.ofUser({ params: { id: await idOf(product(), 'ann') } })
        )[0]?.id,
      ).toBe(admins.id)
    })

    it('are in the activity log with what changed', async () => {
      const root = product().as('root')
      const { id } = await group(product(), 'team', EVERYTHING, ['ann'])
      await grant(product(), { kind: 'group', id }, '/docs', ROLES.editor)
      const { entries } = await root.audit.list({ query: {} })
      const told = entries.filter(({ kind }) => kind === 'groups-changed' || kind === 'access-changed')
      expect(told.map(({ subject, details }) => [subject, details.find(({ after }) => after)?.after])).toEqual([
        ['/docs', 'editor'],
        ['team', 'ann'],
        ['team', 'new'],
      ])
    })
  })

  describe('a role on a folder', () => {
    it('lets somebody without any right upload there and nowhere else', async () => {
      await product().seed(FILES)
      const eve = await product().add('eve', { may: NO_RIGHTS })
      await grant(product(), { kind: 'user', id: eve.id }, '/inbox', ['create'])
      expect(await status(product(), 'eve', 'POST', '/api/resources/inbox/new.txt', 'new')).toBe(200)
      expect(await product().read('/inbox/new.txt')).toBe('new')
      expect(await status(product(), 'eve', 'POST', '/api/resources/docs/new.txt', 'new')).toBe(403)
      expect(await status(product(), 'eve', 'POST', '/api/resources/inbox/old.txt?override=true', 'new')).toBe(403)
      expect(await status(product(), 'eve', 'GET', '/api/raw/inbox/new.txt')).toBe(202)
      expect(await status(product(), 'eve', 'PATCH', '/api/resources/docs/a.txt?action=copy&destination=/inbox/a.txt')).toBe(200)
      expect(await status(product(), 'eve', 'PATCH', '/api/resources/inbox/old.txt?action=rename&destination=/docs/x.txt')).toBe(403)
      // A resumable upload too, from its announcement to its last byte.
      const headers = { 'upload-length': '4', 'tus-resumable': '1.0.0' }
      expect(await status(product(), 'eve', 'POST', '/api/tus/inbox/big.bin', undefined, headers)).toBe(201)
      expect(await status(product(), 'eve', 'POST', '/api/tus/docs/big.bin', undefined, headers)).toBe(403)
    })

    it('is told with the folder to clients that ask for rows, and to no other', async () => {
      await product().seed(FILES)
      const ann = await product().account('ann')
      const path = (place: string) => ({ params: { path: at(place) } })
      expect(await product().as('ann').resources.rows(path('/docs'))).not.toHaveProperty('rights')
      await grant(product(), { kind: 'user', id: ann.id }, '/docs', ROLES.editor)
      await grant(product(), { kind: 'user', id: ann.id }, '/docs/secret', ROLES.viewer)
      const told = await product().as('ann').resources.rows(path('/docs'))
      expect(told).toMatchObject({ rights: [...ROLES.editor], rightsOf: { secret: [...ROLES.viewer] } })
      expect(await product().as('ann').resources.rows(path('/docs/a.txt'))).toMatchObject({ rights: [...ROLES.editor] })
      expect(await product().as('ann').resources.get(path('/docs'))).not.toHaveProperty('rights')
      expect(await product().as('ann').resources.get(path('/docs/a.txt'))).not.toHaveProperty('rights')
      expect(await product().as('root').resources.rows(path('/docs'))).not.toHaveProperty('rights')
    })

    it('stays when an old client reads an account and the settings and writes them back as it knows them', async () => {
      const root = product().as('root')
      await product().seed(FILES)
      const ann = await product().account('ann')
      await grant(product(), { kind: 'user', id: ann.id }, '/docs', ROLES.viewer)
      await grant(product(), { kind: 'everybody', id: 0 }, '/inbox', ROLES.contributor)
      const { id } = await group(product(), 'team', EVERYTHING, ['ann'])
      const [user, settings] = [await root.users.get({ params: { id: String(ann.id) } }), await root.settings.get({})]
      expect(JSON.stringify([user, settings])).not.toContain('viewer')
      await root.users.update({
        params: { id: String(ann.id) },
        body: { what: 'user', which: ['all'], data: { ...user, username: 'ann' } },
      })
      await root.settings.update({ body: settings })
      expect((await root.grants.list({ query: { kind: 'user', id: String(ann.id) } })).length).toBe(1)
      expect((await root.grants.list({ query: { kind: 'everybody' } })).length).toBe(1)
      expect((await root.groups.ofUser({ params: { id: String(ann.id) } })).map((one) => one.id)).toEqual([id])
      // What the group gives did not become the account’s own.
      expect((await root.users.get({ params: { id: String(ann.id) } })).perm).toEqual(user.perm)
    })

    it('is shown to administrators with where it comes from, and changed for one folder and one subject at a time', async () => {
      const root = product().as('root')
      await product().seed(FILES)
      const ann = await product().account('ann')
      const team = await group(product(), 'team', NO_RIGHTS, ['ann'])
      const set = (path: string, who: Parameters<typeof grant>[1], rights: readonly FileRight[] | null) =>
        root.access.set({ params: { path: at(path) }, body: { who, rights: rights && [...rights] } })
      await set('/docs', { kind: 'group', id: team.id }, ROLES.viewer)
      await set('/docs', { kind: 'everybody', id: 0 }, [])
      await set('/docs/secret', { kind: 'user', id: ann.id }, ROLES.editor)
      const entries = async (path: string) =>
        (await root.access.get({ params: { path: at(path) } })).entries.map(({ who, rights, from }) => [
          who.kind,
          who.name,
          rights.length,
          from,
        ])
      expect(await entries('/docs/secret')).toEqual([
        ['everybody', '', 0, '/docs'],
        ['group', 'team', 1, '/docs'],
        ['user', 'ann', 5, '/docs/secret'],
      ])
      await set('/docs/secret', { kind: 'user', id: ann.id }, null)
      expect((await entries('/docs/secret')).length).toBe(2)
      expect(await refusal(set('/none', { kind: 'user', id: ann.id }, []))).toBe('not-found')
      expect(await refusal(set('/docs', { kind: 'user', id: 999 }, []))).toBe('not-found')
    })

    it('is kept by archives, searches, links, trash and jobs', async () => {
      await product().seed(FILES)
      const ann = await product().account('ann')
      const search = async () => (await product().ask('/api/search/docs?query=content%3As', { who: 'ann' })).text()
      expect(await search()).toContain('s.txt')
      await grant(product(), { kind: 'user', id: ann.id }, '/docs/secret', ['create'])
      const archive = await product().ask('/api/raw/docs?algo=zip', { who: 'ann' })
      const text = Buffer.from(await archive.arrayBuffer()).toString('latin1')
      expect([archive.status, text.includes('a.txt'), text.includes('secret/s.txt": permission denied')]).toEqual([200, true, true])
      expect(await status(product(), 'ann', 'GET', '/api/raw/docs/secret?algo=zip')).toBe(202)
      expect(await search()).not.toContain('s.txt')
      // Sharing: the folder may be, the part without the right is not there for visitors.
      expect(
        await refusal(
          product()
            .as('ann')
            .shares.create({ params: { path: at('/docs/secret') }, body: '' }),
        ),
      ).toBe('forbidden')
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/docs') }, body: '{"rights":"edit"}' })
      expect(await (await product().ask(`/api/public/share/${hash}`)).text()).not.toContain('secret')
      expect((await product().ask(`/api/public/dl/${hash}/secret/s.txt`)).status).toBe(404)
      // Deleting the folder would delete the part.
      expect(await status(product(), 'ann', 'DELETE', '/api/resources/docs')).toBe(403)
      expect(
        await refusal(
          product()
            .as('ann')
            .jobs.start({ body: { kind: 'pack', paths: ['/docs/a.txt'], destination: '/docs/secret/x.zip', format: 'zip' } }),
        ),
      ).toBe('none')
    })

    it('ends a link when its owner loses the right to share there', async () => {
      await product().seed(FILES)
      const ann = await product().account('ann')
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/docs/a.txt') }, body: '' })
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(200)
      await grant(product(), { kind: 'user', id: ann.id }, '/docs', ROLES.editor)
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(404)
      await grant(product(), { kind: 'user', id: ann.id }, '/docs', ROLES.manager)
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(200)
    })

    it('CVE-2016-9464: a member changes nothing about their group, its members and roles', async () => {
      await product().seed(FILES)
      const { id } = await group(product(), 'team', EVERYTHING, ['ann'])
      const ann = await idOf(product(), 'ann')
      for (const [method, address, body] of [
        ['DELETE', `/api/groups/${id}/members/${ann}`, {}],
        ['PUT', `/api/groups/${id}/members/${ann}`, {}],
        ['PUT', `/api/groups/${id}`, { name: 'mine' }],
        ['DELETE', `/api/groups/${id}`, {}],
        ['PUT', '/api/grants', { who: { kind: 'group', id }, path: '/', rights: [] }],
        ['PUT', '/api/access/docs', { who: { kind: 'group', id }, rights: [] }],
      ] as const)
        expect([address, await status(product(), 'ann', method, address, JSON.stringify(body))]).toEqual([address, 403])
      expect((await product().as('root').groups.list({})).map(({ name, members }) => [name, members])).toEqual([['team', 1]])
    })

    it('needs a proof of identity to be given, as do groups and members', async () => {
      const ann = await product().account('ann')
      const { id } = await group(product(), 'team', NO_RIGHTS, [])
      const token = await product().signIn('root')
      product().pass(20 * 60_000)
      const calls: [string, string, object][] = [
        ['PUT', '/api/grants', { who: { kind: 'user', id: ann.id }, path: '/', rights: [] }],
        ['PUT', `/api/groups/${id}/members/${ann.id}`, {}],
        ['PUT', `/api/groups/${id}`, { perm: EVERYTHING }],
        ['DELETE', `/api/groups/${id}`, {}],
      ]
      for (const [method, address, body] of calls) {
        const ask = (more: object) => product().ask(address, withToken({ method, body: JSON.stringify({ ...body, ...more }) }, token))
        expect([address, (await ask({})).status]).toEqual([address, 403])
        expect([address, (await ask({ current_password: PASSWORD })).ok]).toEqual([address, true])
      }
    })
  })

  describe('work that is under way', () => {
    it('ends for a member who is removed: an upload takes no more bytes', async () => {
      await product().seed(FILES)
      await product().add('eve', { may: NO_RIGHTS })
      const { id } = await group(product(), 'uploaders', { ...NO_RIGHTS, create: true }, ['eve'])
      const eve = product().as('eve')
      await eve.tus.create({ params: { path: at('/inbox/big.bin') }, headers: { 'upload-length': '8' } })
      const append = (offset: string, body: string) =>
        refusal(
          eve.tus.append({
            params: { path: at('/inbox/big.bin') },
            headers: { 'upload-offset': offset, 'content-type': OFFSET_MEDIA_TYPE },
            body,
          }),
        )
      expect(await append('0', 'four')).toBe('none')
      await product()
        .as('root')
        .groups.removeMember({ params: { id: String(id), user: await idOf(product(), 'eve') }, body: {} })
      expect(await append('4', 'more')).toBe('forbidden')
      expect((await product().snapshot())['/inbox/big.bin']).toBeUndefined()
    })

    it('ends for who loses a role: a body that is being sent is refused, and nothing of it is kept', async () => {
      await product().seed(FILES)
      const eve = await product().add('eve', { may: NO_RIGHTS })
      await grant(product(), { kind: 'user', id: eve.id }, '/inbox', ROLES.contributor)
      const more = Promise.withResolvers<void>()
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new Uint8Array(1024))
          await more.promise
          controller.enqueue(new Uint8Array(1024))
          controller.close()
        },
      })
      const token = await product().signIn('eve')
      const sent = product().ask('/api/resources/inbox/slow.bin', withToken({ method: 'POST', body, duplex: 'half' }, token))
      await Bun.sleep(50)
      await grant(product(), { kind: 'user', id: eve.id }, '/inbox', ROLES.viewer)
      more.resolve()
      expect((await sent).status).toBe(403)
      expect((await product().snapshot())['/inbox/slow.bin']).toBeUndefined()
    })
  })
})

async function group(product: Product, name: string, perm: typeof NO_RIGHTS, members: readonly string[]) {
  const root = product.as('root')
  const made = await root.groups.create({ body: { name, perm } })
  for (const member of members)
    await root.groups.addMember({ params: { id: String(made.id), user: await idOf(product, member) }, body: {} })
  return made
}

async function grant(
  product: Product,
  who: { kind: 'everybody' | 'group' | 'user'; id: number },
  path: string,
  rights: readonly FileRight[],
): Promise<void> {
  await product.as('root').grants.set({ body: { who, path, rights: [...rights] } })
}

async function idOf(product: Product, name: string): Promise<string> {
  return String((await product.account(name)).id)
}

async function status(
  product: Product,
  who: string,
  method: string,
  address: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await product.ask(address, { who, method, headers, ...(body !== undefined && { body }) })
  await response.body?.cancel()
  return response.status
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  )
}

async function rows({ db }: Product, table: 'memberships' | 'grants'): Promise<number> {
  return (await db.selectFrom(table).selectAll().execute()).length
}
