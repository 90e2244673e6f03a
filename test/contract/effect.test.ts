import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Effect, PersonEffect, PlannedChange } from '../../src/shared/contract/explain.ts'
import { FILE_RIGHTS } from '../../src/shared/contract/rights.ts'
import type { Permissions, Rule } from '../../src/shared/contract/users.ts'
import { parseFilePath as at, pathFrom } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { createMemoryIndex, type MemoryIndex } from '../../src/server/index/test-memory-index.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { type Random, randomFrom } from '../model/random.ts'
import { FILES, FOLDERS, inventWorld, PEOPLE, PLACES, tryAll } from './random-access.ts'
import { refusal } from './trash-calls.ts'
import { deny, type Product, startProduct } from './world.ts'

setDefaultTimeout(60_000)

const SEEDS = 16
const ALL = { people: 1000, examples: 1000 }
/** Of files and folders, without renaming, which is about two places. */
const TRIED = new Set(['see', 'create', 'modify', 'delete', 'share', 'download'])
const NOTHING = { count: 0, people: [], links: 0, shares: 0, given: [] }
const NODES = [...new Set([...Object.keys(FILES), ...PLACES])]

describe('what a change would open and close', () => {
  let folder: string
  let index: MemoryIndex
  let product: Product
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'effect-'))
    index = createMemoryIndex(createLocalStorage(folder))
    product = await startProduct({ storage: { folder }, treeIndex: index })
    await product.seed(FILES)
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const root = () => product.as('root')
  const effectOf = (change: PlannedChange, how = {}): Promise<Effect> => root().explain.change({ body: { change, ...how } })
  const idOf = async (name: string) => (await product.account(name)).id

  it('is not known before the index has read the files', async () => {
    const state = 'unknown'
    expect(await effectOf({ what: 'everybody', rules: [deny('/docs')] })).toEqual({ state, opens: NOTHING, closes: NOTHING })
  })

  it('says for whom, how many files and folders, how many bytes, and which', async () => {
    await index.read()
    const { opens, closes, state } = await effectOf({ what: 'account', id: await idOf('ann'), rules: [deny('/docs')] })
    expect({ state, opens }).toEqual({ state: 'complete', opens: NOTHING })
    expect(closes).toEqual({
      ...NOTHING,
      count: 1,
      people: [
        {
          id: await idOf('ann'),
          username: 'ann',
          files: 3,
          folders: 2,
          bytes: 3,
          what: ['see', ...FILE_RIGHTS],
          examples: [{ path: '/docs', folder: true, what: ['see', 'create', 'rename', 'delete', 'share', 'download'] }],
        },
      ],
    })
    expect(await product.as('ann').users.get({ params: { id: String(await idOf('ann')) } })).toMatchObject({ rules: [] })
  })

  it('tells names only that the administrator sees, and counts the others', async () => {
    await index.read()
    await product.setRules('root', [deny('/docs')])
    const { closes } = await effectOf({ what: 'account', id: await idOf('ann'), perm: NO_RIGHTS }, ALL)
    expect(closes.people[0]?.files).toBe(5)
    expect(closes.people[0]?.examples.map(({ path }) => path).toSorted()).toEqual(['/', '/inbox', '/inbox/in.txt', '/top.txt'])
  })

  it('use2-3: counts the links and shares that end with their owner’s right, and begin with it', async () => {
    await index.read()
    const ann = await idOf('ann')
    const eve = { kind: 'user', id: (await product.add('eve', {})).id } as const
    await product.as('ann').peopleShares.create({ params: { path: at('/docs') }, body: { who: eve, role: 'viewer' } })
    for (const path of ['/docs/a.txt', '/top.txt']) await linkTo(product, 'ann', path)
    const { opens, closes } = await effectOf({ what: 'everybody', rules: [deny('/docs')] })
    expect(opens).toEqual(NOTHING)
    expect(closes).toMatchObject({
      links: 1,
      shares: 1,
      given: [
        { kind: 'share', owner: 'ann', path: '/docs', folder: true },
        { kind: 'link', owner: 'ann', path: '/docs/a.txt', folder: false },
      ],
    })
    await product.setRules('ann', [deny('/docs')])
    expect((await effectOf({ what: 'account', id: ann, rules: [] })).opens).toMatchObject({ links: 1, shares: 1 })
    const { closes: unshared } = await effectOf({ what: 'account', id: ann, perm: { ...NO_RIGHTS, download: true } })
    expect(unshared).toMatchObject({ links: 1, shares: 0, given: [{ path: '/top.txt' }] })
    await product.setRules('root', [deny('/top.txt')])
    expect((await effectOf({ what: 'account', id: ann, perm: NO_RIGHTS })).closes).toMatchObject({ links: 1, given: [] })
  })

  for (let seed = 1; seed <= SEEDS / 2; seed += 1)
    it(`use2-4: the links that it names are those that open, or open no more, after the change (${seed})`, async () => {
      const random = randomFrom(seed)
      await inventWorld(product, random)
      await product.setRules('root', [{ ...deny('/'), allow: true }])
      await index.read()
      const links = new Map<string, string>()
      for (const name of PEOPLE)
        for (const node of NODES) {
          const path = pathFrom(at((await product.account(name)).scope), at(node))
          const hash = path === null ? null : await linkTo(product, name, path)
          if (hash !== null) links.set(hash, `${name} ${node}`)
        }
      const opening = async () => {
        const open: string[] = []
        for (const [hash, label] of links) if ((await product.ask(`/api/public/share/${hash}`)).ok) open.push(label)
        return new Set(open)
      }
      for (let change = 0; change < 4; change += 1) {
        const planned = await inventChange(product, random)
        const told = await effectOf(planned, ALL)
        const before = await opening()
        await save(product, planned)
        const after = await opening()
        const named = ({ given }: Effect['opens']) => given.map(({ owner, path }) => `${owner} ${path}`).toSorted()
        const shown = { opens: named(told.opens), closes: named(told.closes) }
        expect({ seed, planned, ...shown }).toEqual({ seed, planned, opens: minus(after, before), closes: minus(before, after) })
        expect([told.opens.links, told.closes.links]).toEqual([shown.opens.length, shown.closes.length])
      }
    })

  it('is not told for what could not be saved, or is not there', async () => {
    await index.read()
    const broken: Rule = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
    expect(await refusal(effectOf({ what: 'everybody', rules: [broken] }))).toBe('invalid-input')
    const role = { what: 'role', who: { kind: 'everybody', id: 0 }, regex: true, path: '(', rights: [] } as const
    expect(await refusal(effectOf({ ...role, rights: [] }))).toBe('invalid-input')
    expect(await refusal(effectOf({ what: 'account', id: 999 }))).toBe('not-found')
    expect(await refusal(effectOf({ what: 'group', id: 999 }))).toBe('not-found')
    expect(await refusal(effectOf({ what: 'join', group: 999, people: [1] }))).toBe('not-found')
  })

  it('of a list of new people is what they reach, and nothing is made', async () => {
    await index.read()
    const team = await root().groups.create({ body: { name: 'Team', rules: [deny('/docs')] } })
    await product.world.settings.change((before) => ({ ...before, createUserDir: false }))
    const people = [
      { username: 'new', scope: '/', groups: ['Team'] },
      { username: 'home', scope: '/inbox' },
      { username: ' ' },
      { username: 'ann' },
    ]
    const told = await effectOf({
      what: 'import',
      people: people.map((one) => ({ address: '', scope: '', groups: [], quota: '', files: '', ...one })),
    })
    expect(told.closes.count).toBe(0)
    expect(told.opens.people.map(({ username, files, folders }) => ({ username, files, folders }))).toEqual([
      { username: 'new', files: 2, folders: 2 },
      { username: 'home', files: 1, folders: 1 },
    ])
    expect((await root().groups.members({ params: { id: String(team.id) }, query: {} })).members).toEqual([])
    expect((await root().users.list({})).map(({ username }) => username).toSorted()).toEqual(['ann', 'root'])
  })

  for (let seed = 1; seed <= SEEDS; seed += 1)
    it(`is the difference of what the server does before and after, for every person, node and operation (${seed})`, async () => {
      const random = randomFrom(seed)
      await inventWorld(product, random)
      // Everybody's rules are about administrators as well; this one sees everything.
      await product.setRules('root', [{ ...deny('/'), allow: true }])
      await index.read()
      const change = await inventChange(product, random)
      const told = await effectOf(change, ALL)
      const counted = await effectOf(change, { people: 1000, examples: 3 })
      const numbers = ({ opens, closes, state }: Effect) =>
        [state, ...[opens, closes].map(({ count, people }) => [count, people.map((one) => ({ ...one, examples: [] }))])] as const
      expect(numbers(counted)).toEqual(numbers(told))

      const before = await answers(product)
      await save(product, change)
      const after = await answers(product)
      const expected = { opens: minus(after, before), closes: minus(before, after) }
      const shown = { opens: lines(told.opens.people), closes: lines(told.closes.people) }
      expect({ seed, change, ...shown }).toEqual({ seed, change, ...expected })
    })
})

/** @returns null if they may not share it */
async function linkTo(product: Product, who: string, path: string): Promise<string | null> {
  const response = await product.ask(`/api/share${path}`, { who, method: 'POST', body: '{}' })
  return response.ok ? ((await response.json()) as { hash: string }).hash : null
}

/** Every operation that is allowed, as `name place operation`. */
async function answers(product: Product): Promise<Set<string>> {
  const allowed = new Set<string>()
  for (const name of PEOPLE)
    for (const node of NODES) {
      const isFolder = FOLDERS.includes(node) || node === '/'
      const { sees, rights } = await tryAll(product, { name, place: at(node), isFolder })
      for (const right of rights) allowed.add(`${name} ${node} ${right}`)
      if (sees) allowed.add(`${name} ${node} see`)
      const path = isFolder ? null : pathFrom(at((await product.account(name)).scope), at(node))
      if (path === null) continue
      if ((await product.ask(`/api/resources${path}`, { who: name, method: 'DELETE' })).ok) allowed.add(`${name} ${node} delete`)
      await product.seed({ [node]: 'again' })
    }
  return allowed
}

function minus(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter((line) => !other.has(line)).toSorted()
}

function lines(people: readonly PersonEffect[]): string[] {
  return people
    .flatMap(({ username, examples }) =>
      examples.flatMap(({ path, folder, what }) =>
        what
          .filter((name) => TRIED.has(name) && !(folder && (name === 'delete' || name === 'download')))
          .map((name) => `${username} ${path} ${name}`),
      ),
    )
    .toSorted()
}

async function inventChange(product: Product, random: Random): Promise<PlannedChange> {
  const somewhere = () => random.one(NODES) ?? '/'
  const rights = () => FILE_RIGHTS.filter(() => random.chance(0.5))
  const perm = (): Permissions => ({ ...NO_RIGHTS, ...Object.fromEntries(FILE_RIGHTS.map((right) => [right, random.chance(0.5)])) })
  const pattern = () => random.one(['secret', '\\.txt$', '^/docs$', '/\\.', 'a']) ?? 'a'
  const rule = (): Rule => ({
    ...deny(somewhere()),
    allow: random.chance(0.4),
    ...(random.chance(0.4) && { path: '', regex: true, regexp: { raw: pattern() } }),
  })
  const rules = (): Rule[] => Array.from({ length: random.below(4) }, rule)
  const id = (await product.account(random.one(PEOPLE) ?? 'ann')).id
  const groups = (await product.as('root').groups.list({})).map((group) => group.id)
  const group = random.one(groups) ?? 0
  const regex = random.chance(0.3)
  const who = random.one([{ kind: 'everybody', id: 0 } as const, { kind: 'group', id: group } as const, { kind: 'user', id } as const])
  const changes: readonly PlannedChange[] = [
    { what: 'account', id, rules: rules() },
    {
      what: 'account',
      id,
      // Nobody may share what they may not read.
      perm: random.chance(0.2) ? { ...NO_RIGHTS, admin: true } : { ...perm(), share: false },
      scope: random.one(['/', '/docs', '/inbox']) ?? '/',
      hideDotfiles: random.chance(0.5),
    },
    { what: 'group', id: group, rules: rules() },
    { what: 'group', id: group, perm: perm() },
    { what: 'everybody', rules: rules() },
    { what: 'join', group, people: [id] },
    { what: 'leave', group, people: [id] },
    {
      what: 'role',
      who: who ?? { kind: 'everybody', id: 0 },
      regex,
      path: regex ? pattern() : somewhere(),
      rights: random.chance(0.2) ? null : rights(),
    },
  ]
  return random.one(changes) ?? { what: 'everybody', rules: [] }
}

/** As the forms save it. */
async function save(product: Product, change: PlannedChange): Promise<void> {
  const root = product.as('root')
  switch (change.what) {
    case 'account': {
      const { what: _, id, ...given } = change
      const data = { ...(await root.users.get({ params: { id: String(id) } })), ...given }
      await root.users.update({ params: { id: String(id) }, body: { what: 'user', which: Object.keys(given), data } })
      return
    }
    case 'group':
      await root.groups.change({ params: { id: String(change.id) }, body: { perm: change.perm, rules: change.rules } })
      return
    case 'everybody':
      await product.world.settings.change((before) => ({ ...before, rules: change.rules }))
      return
    case 'join':
    case 'leave': {
      const call = change.what === 'join' ? root.groups.addMember : root.groups.removeMember
      for (const id of change.people) await call({ params: { id: String(change.group), user: String(id) }, body: {} })
      return
    }
    case 'role':
      await root.grants.set({ body: { who: change.who, regex: change.regex, path: change.path, rights: change.rights } })
      return
    case 'import':
      throw new Error('is tried by a test of its own')
  }
}
