import { describe, expect, it } from 'bun:test'
import type { NewPerson, PeopleAction } from '../../src/shared/contract/people.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { type MailServer, secretIn, startMailServer } from '../mail-server.ts'
import { refusal } from './trash-calls.ts'
import { until } from './until.ts'
import { onEachStorage, type Product } from './world.ts'

const CHOSEN = 'chosen by its owner'

onEachStorage((product) => {
  const root = () => product().as('root')
  const idOf = async (name: string) => (await product().account(name)).id
  const found = async (query: Parameters<ReturnType<typeof root>['people']['list']>[0]['query']) => {
    const { people, ...rest } = await root().people.list({ query })
    return { names: people.map(({ username }) => username), people, ...rest }
  }
  const change = async (names: readonly string[], action: PeopleAction) =>
    root().people.change({ body: { ids: await Promise.all(names.map(idOf)), change: action } })
  const imported = async (people: NewPerson[], options: { preview?: boolean; mail?: boolean } = {}) =>
    (await root().people.import({ body: { people, preview: false, ...options } })).people

  describe('the list of people', () => {
    it('is found by name, folder, address, group and state', async () => {
      await product().add('Zoë', { may: NO_RIGHTS, scope: '/Sales/z' })
      await root().mail.setAddress({ params: { id: String(await idOf('Zoë')) }, body: { address: 'zoe@example.org' } })
      const { id } = await root().groups.create({ body: { name: 'Sales' } })
      await root().groups.addMember({ params: { id: String(id), user: String(await idOf('Zoë')) }, body: {} })
      for (const query of [{ text: 'ZOË' }, { text: 'sales/' }, { text: 'E@EXAMPLE' }, { group: String(id) }])
        expect((await found(query)).names).toEqual(['Zoë'])
      expect((await found({ text: 'zoë' })).people).toEqual([
        {
          id: await idOf('Zoë'),
          username: 'Zoë',
          admin: false,
          disabled: false,
          secondFactor: false,
          scope: '/Sales/z',
          address: 'zoe@example.org',
          groups: ['Sales'],
          lastSeen: null,
        },
      ])
      expect((await found({ only: 'administrators' })).names).toEqual(['root'])
      await product().signIn('Zoë')
      expect((await found({ text: 'zoë' })).people[0]?.lastSeen).toBeNumber()
      expect((await found({ text: '%' })).names).toEqual([])
      expect((await found({ text: '_' })).found).toBe(0)
    })

    it('comes a hundred at a time, each once', async () => {
      for (let at = 0; at < 250; at += 1) await product().add(`p${at}`, { may: NO_RIGHTS })
      const { all, next, names } = await found({})
      expect(names).toHaveLength(100)
      const second = await found({ after: next ?? '' })
      const third = await found({ after: second.next ?? '' })
      const every = [...names, ...second.names, ...third.names]
      expect(new Set(every).size).toBe(all)
      expect(third.next).toBe(null)
      expect((await found({ text: 'p24' })).found).toBe(11)
    })
  })

  describe('a change of many accounts', () => {
    it('ends their sessions, and reports who was refused: oneself and who does not exist', async () => {
      const token = await product().signIn('ann')
      const ids = [await idOf('ann'), await idOf('root'), 999_999, await idOf('ann')]
      const result = await root().people.change({ body: { ids, change: { action: 'disable' } } })
      expect(result).toEqual({
        changed: [await idOf('ann')],
        refused: [
          { id: await idOf('root'), error: 'forbidden' },
          { id: 999_999, error: 'not-found' },
        ],
      })
      expect((await product().ask('/api/resources/', { headers: { 'x-auth': token } })).status).toBe(401)
      expect((await found({ only: 'disabled' })).names).toEqual(['ann'])
      await change(['ann'], { action: 'enable' })
      expect((await found({ only: 'disabled' })).names).toEqual([])
    })

    it('adds to groups and removes from them, and deletes', async () => {
      const { id: group } = await root().groups.create({ body: { name: '7' } })
      expect((await change(['ann', 'root'], { action: 'join', group })).changed).toHaveLength(2)
      expect((await found({ group: String(group) })).names).toEqual(['ann', 'root'])
      await change(['root'], { action: 'leave', group })
      expect((await found({ group: String(group) })).names).toEqual(['ann'])
      expect(await refusal(change(['ann'], { action: 'join', group: group + 1000 }))).toBe('not-found')
      await change(['ann'], { action: 'delete' })
      expect((await found({ text: 'ann' })).names).toEqual([])
    })

    it('is refused for others than administrators, and for too many at once', async () => {
      const body = { ids: [await idOf('root')], change: { action: 'delete' as const } }
      expect(await refusal(product().as('ann').people.change({ body }))).toBe('forbidden')
      expect(await refusal(root().people.change({ body: { ...body, ids: Array.from({ length: 501 }, (_, at) => at + 1) } }))).toBe(
        'invalid-input',
      )
    })
  })

  describe('a list of new accounts', () => {
    it('is checked line by line, and a preview changes nothing', async () => {
      await root().groups.create({ body: { name: 'Team' } })
      const lines = [
        { username: 'new', groups: ['team'], scope: '/new' },
        { username: 'ANN' },
        { username: ' x' },
        { username: 'New' },
        { username: 'y', address: 'not an address', groups: ['Nobody'] },
      ]
      const before = (await found({})).all
      const preview = await imported(lines, { preview: true })
      expect(preview.map(({ state }) => state)).toEqual(['new', 'exists', 'refused', 'refused', 'refused'])
      expect(preview.map(({ issues }) => issues)).toEqual([
        [],
        [],
        ['username: white space around it'],
        ['username: twice in the list'],
        ['address: not an address', 'groups: "Nobody" does not exist'],
      ])
      expect(preview[0]?.scope).toBe('/new')
      expect((await found({})).all).toBe(before)
      const made = await imported(lines)
      expect(made.map(({ state }) => state)).toEqual(['made', 'exists', 'refused', 'refused', 'refused'])
      expect((await found({ only: 'waiting' })).people).toMatchObject([{ username: 'new', scope: '/new', groups: ['Team'], admin: false }])
      expect((await imported(lines)).map(({ state }) => state)).toEqual(['exists', 'exists', 'refused', 'refused', 'refused'])
    })

    it('limits what may lie in their folders, in gigabytes unless a unit is named', async () => {
      const lines = [
        { username: 'small', scope: '/s', quota: '0,5', files: '10' },
        { username: 'large', scope: '/l', quota: '2 TB' },
        { username: 'wrong', scope: '/w', quota: 'much', files: 'many' },
      ]
      const made = await imported(lines)
      expect(made.map(({ state, issues }) => [state, issues])).toEqual([
        ['made', []],
        ['made', []],
        ['refused', ['quota: not an amount', 'files: not a number']],
      ])
      const limits = (await root().quotas.list({})).map(({ who, bytes, files }) => [who.id, bytes?.limit, files?.limit])
      expect(limits).toEqual([
        [made[0]?.id ?? 0, 512 * 1024 ** 2, 10],
        [made[1]?.id ?? 0, 2 * 1024 ** 4, undefined],
      ])
    })

    it('use-1: gives a person without a folder their own one, which no other has, and the whole tree only if the list says so', async () => {
      const made = await imported([{ username: 'Kim Lee' }, { username: 'Kim-Lee' }, { username: 'all', scope: '/' }])
      expect(made).toMatchObject([{ state: 'made', scope: '/users/Kim-Lee' }, { state: 'refused' }, { state: 'made', scope: '/' }])
      expect((await product().account('Kim Lee')).scope).toBe('/users/Kim-Lee')
    })

    it('gives each person a link, by mail if there is an address', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      const [mailed, copied] = await imported(
        [
          { username: 'mailed', address: 'mailed@example.org', scope: '/m' },
          { username: 'copied', scope: '/c' },
        ],
        { mail: true },
      )
      expect(mailed).toMatchObject({ state: 'made', mailedTo: 'mailed@example.org' })
      expect(copied).toMatchObject({ state: 'made', mailedTo: null })
      await until(async () => server.arrived.length === 1)
      expect(server.arrived[0]?.to).toEqual(['mailed@example.org'])
      expect(secretIn(server.arrived[0] ?? { to: [], raw: '', text: '', subject: '' })).not.toBe(mailed?.secret)
      await product()
        .as('visitor')
        .passwordLinks.use({ body: { secret: copied?.secret ?? '', password: CHOSEN } })
      expect((await found({ only: 'waiting' })).names).toEqual(['mailed'])
    })

    it('is refused whole where nobody has a password here: no account is made that nobody could use', async () => {
      const before = (await found({})).all
      await product().world.settings.change((now) => ({ ...now, providersOnly: true }))
      expect(await refusal(imported([{ username: 'new', scope: '/new' }]))).toBe('invalid-input')
      expect((await found({})).all).toBe(before)
    })

    it('never makes an administrator, whatever the defaults say, and gives everybody a folder if settings say so', async () => {
      const settings = await root().settings.get({})
      await root().settings.update({
        body: { ...settings, createUserDir: true, defaults: { ...settings.defaults, perm: { ...settings.defaults.perm, admin: true } } },
      })
      expect(await imported([{ username: 'Kim Lee' }])).toMatchObject([{ state: 'made', scope: '/users/Kim-Lee' }])
      expect((await product().account('Kim Lee')).perm.admin).toBe(false)
    })
  })
})

async function useMailServer(product: Product, { port }: MailServer): Promise<void> {
  await product.world.settings.change((before) => ({
    ...before,
    mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
  }))
}
