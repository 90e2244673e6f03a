import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { FILE_RIGHTS, type FileRight } from '../../src/shared/contract/rights.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { randomFrom } from '../model/random.ts'
import { applies, FILES, FOLDERS, inventWorld, OPERATIONS, PEOPLE, PLACES, tryAll } from './random-access.ts'
import { refusal } from './trash-calls.ts'
import { deny, onEachStorage } from './world.ts'

setDefaultTimeout(60_000)

const SEEDS = 10

onEachStorage((product) => {
  const root = () => product().as('root')
  const reachOf = async (path: string, name: string) => {
    const { people } = await root().explain.reach({ params: { path: at(path) }, query: { text: name } })
    return people.find(({ username }) => username === name)
  }
  const set = async (who: { kind: 'everybody' | 'group' | 'user'; id: number }, path: string, rights: readonly FileRight[]) => {
    await root().grants.set({ body: { who, path, rights: [...rights] } })
  }

  describe('the explanation of access', () => {
    it('names the rule, the group and the role that decide', async () => {
      await product().seed(FILES)
      const ann = await product().account('ann')
      const team = await root().groups.create({
        body: { name: 'Team', rules: [deny('/docs/secret')], perm: { ...NO_RIGHTS, share: true } },
      })
      await root().groups.addMember({ params: { id: String(team.id), user: String(ann.id) }, body: {} })
      await set({ kind: 'group', id: team.id }, '/docs', ['download'])
      expect(await reachOf('/docs/a.txt', 'ann')).toMatchObject({
        sees: true,
        reason: { kind: 'scope' },
        rights: ['download'],
        source: { kind: 'grant', whose: { kind: 'group', name: 'Team' }, path: '/docs' },
      })
      expect(await reachOf('/docs/secret/s.txt', 'ann')).toMatchObject({
        sees: false,
        rights: [],
        source: null,
        reason: { kind: 'rule', allow: false, whose: { kind: 'group', name: 'Team' }, rule: '/docs/secret' },
      })
      expect(await reachOf('/top.txt', 'root')).toMatchObject({ source: { kind: 'administrator', group: null }, rights: [...FILE_RIGHTS] })
      await product().add('eve', { may: NO_RIGHTS, scope: '/inbox', hideDotfiles: true })
      await set({ kind: 'everybody', id: 0 }, '/', ['create'])
      expect(await reachOf('/docs/a.txt', 'eve')).toMatchObject({ sees: false, reason: { kind: 'outside', scope: '/inbox' } })
      expect(await reachOf('/inbox/in.txt', 'eve')).toMatchObject({
        rights: ['create'],
        source: { kind: 'grant', whose: { kind: 'everybody' }, path: '/' },
      })
      await root().people.change({ body: { ids: [ann.id], change: { action: 'disable' } } })
      expect(await reachOf('/docs/a.txt', 'ann')).toMatchObject({ sees: false, reason: { kind: 'disabled' } })
    })

    it('counts and filters people, and lists links that lead there', async () => {
      await product().seed(FILES)
      await product().add('eve', { scope: '/inbox' })
      await product().add('kim', { rules: [deny('/docs/secret')] })
      const link = async (who: string, path: string) =>
        (
          await product()
            .as(who)
            .shares.create({ params: { path: at(path) }, query: {}, body: '{}' })
        ).hash
      const [around, here, dead] = [await link('ann', '/docs'), await link('root', '/docs/secret'), await link('kim', '/docs')]
      const all = await root().explain.reach({ params: { path: at('/docs/secret') }, query: { only: 'reaching' } })
      expect(all.people.map(({ username }) => username)).toEqual(['ann', 'root'])
      expect(all.reaching).toBe(2)
      const others = await root().explain.reach({ params: { path: at('/docs/secret') }, query: { only: 'others' } })
      expect(others.people.map(({ username }) => username)).toEqual(['eve', 'kim'])
      expect(Object.fromEntries(all.links.map(({ hash, isHere }) => [hash, isHere]))).toEqual({ [around]: false, [here]: true })
      expect(all.links.map(({ hash }) => hash)).not.toContain(dead)
      const eve = { kind: 'user', id: (await product().account('eve')).id } as const
      for (const [who, path] of [
        ['ann', '/docs'],
        ['kim', '/docs'],
      ] as const)
        await product()
          .as(who)
          .peopleShares.create({ params: { path: at(path) }, body: { who: eve, role: 'viewer' } })
      const { shares } = await root().explain.reach({ params: { path: at('/docs/secret') }, query: {} })
      expect(shares).toMatchObject([{ who: { ...eve, name: 'eve' }, owner: 'ann', role: 'viewer', isHere: false }])
    })

    it('says what a role would change before it is given, and is right', async () => {
      await product().seed(FILES)
      const ann = await product().account('ann')
      const eve = await product().add('eve', { may: NO_RIGHTS })
      await product().add('far', { may: NO_RIGHTS, scope: '/inbox' })
      const effect = (query: Parameters<ReturnType<typeof root>['explain']['effect']>[0]['query']) =>
        root().explain.effect({ params: { path: at('/docs') }, query })
      expect(await effect({ kind: 'everybody', rights: 'download' })).toEqual({
        count: 2,
        examples: [
          { id: ann.id, username: 'ann', before: [...FILE_RIGHTS], after: ['download'] },
          { id: eve.id, username: 'eve', before: [], after: ['download'] },
        ],
      })
      await set({ kind: 'everybody', id: 0 }, '/docs', ['download'])
      expect(await effect({ kind: 'user', id: String(eve.id), rights: 'create,download' })).toMatchObject({
        examples: [{ username: 'eve', before: ['download'], after: ['create', 'download'] }],
      })
      expect(await effect({ kind: 'everybody' })).toMatchObject({ count: 2, examples: [{ after: [...FILE_RIGHTS] }, { after: [] }] })
      expect(await refusal(effect({ kind: 'everybody', rights: 'fly' }))).toBe('invalid-input')
    })

    for (let seed = 1; seed <= SEEDS; seed += 1)
      it(`is what the server does, for every person, node and operation of a random world (${seed})`, async () => {
        await product().seed(FILES)
        await inventWorld(product(), randomFrom(seed))
        // Everybody's rules are about administrators as well; this one sees everything.
        await product().setRules('root', [{ ...deny('/'), allow: true }])
        for (const place of PLACES)
          for (const name of PEOPLE) {
            const told = await reachOf(place, name)
            const isFolder = FOLDERS.includes(place) || place === '/'
            const done = await tryAll(product(), { name, place: at(place), isFolder })
            expect({ name, place, seed, ...done }).toEqual({
              name,
              place,
              seed,
              sees: told?.sees === true,
              rights: FILE_RIGHTS.filter((right) => told?.rights.includes(right) && right in OPERATIONS && applies(right, isFolder)),
            })
          }
      })
  })
})
