import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { FILE_RIGHTS, type FileRight, type Grant, ROLES, roleOf } from '../../shared/contract/rights.ts'
import type { Permissions, Rule } from '../../shared/contract/users.ts'
import { type FilePath, parentOf, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { accessOf, type Granted } from './access-of.ts'
import { type Access, mayAnywhere, rightsAt } from '../access/access.ts'
import { cutAccess } from '../access/cut.ts'
import { compileGrants } from '../access/grants.ts'
import { ALL_RIGHTS, NO_RIGHTS, RIGHTS, rightsOf } from '../access/permissions.ts'
import { requiringRight } from '../access/requiring.ts'
import { compileRules } from '../access/rules.ts'

describe('grants', () => {
  it('are about a folder and everything below it, and the deepest one of a list decides', () => {
    const grants = compileGrants([[grant('/a/b', 'viewer'), grant('/a', 'editor')]])
    expect(rolesAt(grants, '/', '/a', '/a/x', '/a/b', '/a/b/c', '/ab')).toEqual([null, 'editor', 'editor', 'viewer', 'viewer', null])
  })

  it('of the person decide over those of a group, those of a later group over an earlier one, and all of them over everybody’s', () => {
    const grants = compileGrants([
      [grant('/a/b', 'manager')],
      [grant('/a/b', 'editor')],
      [grant('/a', 'viewer')],
      [grant('/a/b/c', 'contributor')],
    ])
    expect(rolesAt(grants, '/a/b', '/a/b/c')).toEqual(['viewer', 'contributor'])
    expect([grants.deciding(at('/a/b')), grants.deciding(at('/a/b/c/d')), grants.deciding(at('/x'))]).toEqual([
      { list: 2, index: 0 },
      { list: 3, index: 0 },
      null,
    ])
  })

  it('by a pattern come after those by a path, and decide about what is below a folder that they match (A17)', () => {
    const grants = compileGrants([[pattern('/old$', 'viewer'), grant('/a/old/x', 'editor'), grant('/a', 'editor')]])
    expect(rolesAt(grants, '/a/old', '/a/old/x/y', '/a/new')).toEqual(['viewer', 'viewer', 'editor'])
  })

  it('give nothing where a stored pattern is none', () => {
    const grants = compileGrants([[grant('/a', 'editor'), pattern('(', 'manager')]])
    expect(rolesAt(grants, '/', '/a')).toEqual([[], []])
    expect(grants.somewhere.share).toBe(false)
  })

  it('cannot be evaded by another spelling of the same name (I3)', () => {
    const grants = compileGrants([[grant('/caf\u00e9', 'viewer')]])
    expect(rolesAt(grants, '/cafe\u0301/x', '/cafe')).toEqual(['viewer', null])
  })
})

describe('roles', () => {
  it('are known by their rights, in any order', () => {
    for (const [name, rights] of Object.entries(ROLES)) expect(String(roleOf(rights.toReversed()))).toBe(name)
    expect(roleOf(['create'])).toBeNull()
    expect(roleOf([])).toBeNull()
  })
})

describe('rights at a path', () => {
  it('are those of a naive model, for every person, node and right', () => {
    fc.assert(
      fc.property(worlds(), paths(), ({ account, granted, rules }, path) => {
        const access = accessOf(account, { rules }, granted)
        expect(rightsAt(access, path)).toEqual(modelRights({ account, granted }, path))
        for (const right of FILE_RIGHTS) if (rightsAt(access, path)[right]) expect(mayAnywhere(access, right)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('say nothing about what is visible: grants neither show nor hide anything', () => {
    fc.assert(
      fc.property(worlds(), paths(), ({ account, granted, rules }, path) => {
        const without = { ...granted, grants: [] }
        expect(accessOf(account, { rules }, granted).rules.verdict(path)).toBe(accessOf(account, { rules }, without).rules.verdict(path))
      }),
    )
  })

  it('are those of the account and of all its groups together, where nothing is granted', () => {
    const perm = { ...NO_RIGHTS, create: true }
    const group = (more: Partial<Permissions>) => ({ id: 1, name: '', perm: { ...NO_RIGHTS, ...more }, rules: [] })
    const granted = { groups: [group({ download: true }), group({ execute: true })], grants: [] }
    expect(rightsAt(accessOf({ ...ACCOUNT, perm }, { rules: [] }, granted), ROOT)).toEqual({
      ...NO_RIGHTS,
      create: true,
      download: true,
      execute: true,
    })
  })

  it('never hold administration or execution by a grant, and an administrator keeps everything', () => {
    const granted = { groups: [], grants: [[grant('/', 'viewer')]] }
    const ann = accessOf({ ...ACCOUNT, perm: NO_RIGHTS }, { rules: [] }, granted)
    expect(rightsAt(ann, ROOT)).toEqual({ ...NO_RIGHTS, download: true })
    expect(rightsAt(accessOf({ ...ACCOUNT, perm: ALL_RIGHTS }, { rules: [] }, granted), ROOT)).toEqual(ALL_RIGHTS)
    const admins = { id: 1, name: 'admins', perm: { ...NO_RIGHTS, admin: true }, rules: [] }
    expect(rightsAt(accessOf({ ...ACCOUNT, perm: NO_RIGHTS }, { rules: [] }, { ...granted, groups: [admins] }), ROOT)).toEqual(ALL_RIGHTS)
  })

  it('are about a place on the server, whatever somebody’s own folder is', () => {
    const granted = { groups: [], grants: [[grant('/home', 'viewer'), grant('/home/ann/in', 'contributor'), grant('/in', 'manager')]] }
    const ann = accessOf({ ...ACCOUNT, scope: './home/ann', perm: EDITS }, { rules: [] }, granted)
    expect(['/', '/x', '/in', '/in/x'].map((path) => roleAt(ann, path))).toEqual(['viewer', 'viewer', 'contributor', 'contributor'])
    const bob = accessOf({ ...ACCOUNT, scope: '/other', perm: EDITS }, { rules: [] }, granted)
    expect(['/', '/in'].map((path) => roleAt(bob, path))).toEqual(['editor', 'editor'])
  })
})

describe('an Access that is cut', () => {
  it('never may more than before, at any node, and never more than it is cut to', () => {
    fc.assert(
      fc.property(worlds(), paths(), permissions(), ({ account, granted, rules }, path, most) => {
        const access = accessOf(account, { rules }, granted)
        const cut = cutAccess(access, { rights: most })
        for (const right of RIGHTS) expect(rightsAt(cut, path)[right]).toBe(rightsAt(access, path)[right] && rightsOf(most)[right])
        for (const right of RIGHTS) expect(mayAnywhere(cut, right) && !(mayAnywhere(access, right) && rightsOf(most)[right])).toBe(false)
      }),
    )
  })

  it('sees only its folder, by paths of its own, and loses what its owner loses', async () => {
    const granted = { groups: [], grants: [[grant('/a/b', 'viewer')]] }
    const owner = accessOf({ ...ACCOUNT, perm: EDITS }, { rules: [] }, granted)
    const later = accessOf({ ...ACCOUNT, perm: NO_RIGHTS }, { rules: [] }, { groups: [], grants: [] })
    const cut = cutAccess({ ...owner, latest: () => later }, { start: at('/a'), rights: { ...NO_RIGHTS, download: true, create: true } })
    expect([roleAt(cut, '/'), roleAt(cut, '/b')]).toEqual(['contributor', 'viewer'])
    const now = await cut.latest?.()
    expect(now?.start).toBe(at('/a'))
    expect(now && rightsAt(now, ROOT)).toEqual(NO_RIGHTS)
    expect((await cutAccess({ ...owner, latest: async () => later }, {}).latest?.())?.may).toEqual(NO_RIGHTS)
  })
})

describe('an Access that requires a right', () => {
  it('sees exactly what its owner sees and has the right to, and its short answers agree with the long ones', () => {
    fc.assert(
      fc.property(worlds(), paths(), paths(), ({ account, granted, rules }, path, folder) => {
        const owner = accessOf(account, { rules }, granted)
        const through = requiringRight(owner, 'share')
        // Where nothing is granted, the right of the account is for the caller to check.
        fc.pre(!owner.rules.grants.isUniform)
        expect(through.rules.allows(path)).toBe(owner.rules.allows(path) && rightsAt(owner, path).share)
        if (!path.startsWith(`${folder === ROOT ? '' : folder}/`)) return
        if (through.rules.allows(folder) && through.rules.shownBelow(folder) === 'all') expect(through.rules.allows(path)).toBe(true)
        const denied = through.rules.deniedPaths
        if (denied !== null && through.rules.verdict(path) === 'denied')
          expect(denied.some((one) => one === '/' || path === one || path.startsWith(`${one}/`))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('rules', () => {
  it('tell which one decides: everybody’s, then those of each group, then one’s own', () => {
    const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
    const rules = compileRules([deny('/a')], [deny('/a/b/c')], {
      hideDotfiles: false,
      groups: [[], [deny('/x'), { ...deny('/a/b'), allow: true }]],
    })
    expect(['/a/y', '/a/b/y', '/a/b/c', '/z'].map((path) => rules.deciding(at(path)))).toEqual([
      { list: 0, index: 0 },
      { list: 2, index: 1 },
      { list: 3, index: 0 },
      null,
    ])
    expect(['/a/y', '/a/b/y', '/a/b/c', '/z'].map((path) => rules.allows(at(path)))).toEqual([false, true, false, true])
  })

  it('are looked up in a time that does not depend on their number', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => grant(`/folder${n}/deep`, 'viewer'))
    const grants = compileGrants([many])
    const start = performance.now()
    for (let n = 0; n < 20_000; n++) grants.rightsAt(at(`/folder${n}/deep/file`))
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

const ACCOUNT = { scope: '.', perm: NO_RIGHTS, rules: [], hideDotfiles: false }
const EDITS: Permissions = { ...ALL_RIGHTS, admin: false, execute: false, share: false }

interface ModelWorld {
  readonly account: Omit<typeof ACCOUNT, 'perm' | 'rules'> & { readonly perm: Permissions; readonly rules: Rule[] }
  readonly granted: Granted
}

/** The sentences of the documentation, one after the other. */
function modelRights({ account, granted }: ModelWorld, path: FilePath): Permissions {
  const own = Object.fromEntries(
    RIGHTS.map((right) => [right, account.perm[right] || granted.groups.some(({ perm }) => perm[right])]),
  ) as Permissions
  if (own.admin) return ALL_RIGHTS
  const found = decidingGrant(granted.grants, path)
  if (found === null) return own
  const given = Object.fromEntries(FILE_RIGHTS.map((right) => [right, found.grant.rights.includes(right)])) as Record<FileRight, boolean>
  return { ...NO_RIGHTS, ...given, execute: own.execute }
}

/** With its rank: a later list, then patterns over paths, then the deeper path, then the later pattern. */
function decidingGrant(lists: Granted['grants'], path: FilePath): { grant: Grant; rank: number } | null {
  let best = path === ROOT ? null : decidingGrant(lists, parentOf(path))
  for (const [list, grants] of lists.entries()) {
    for (const [index, one] of grants.entries()) {
      const matches = one.regex ? new RegExp(one.path).test(path) : one.path === '/' || path === one.path || path.startsWith(`${one.path}/`)
      const rank = list * 1e6 + (one.regex ? 1e4 + index : one.path.split('/').filter(Boolean).length)
      if (matches && (best === null || rank >= best.rank)) best = { grant: one, rank }
    }
  }
  return best
}

function worlds(): fc.Arbitrary<ModelWorld & { rules: Rule[] }> {
  const rights = fc.subarray([...FILE_RIGHTS])
  const byPath = fc.record({ regex: fc.constant(false), path: paths().map(String), rights })
  const byPattern = fc.record({ regex: fc.constant(true), path: fc.constantFrom('/a$', 'b', '^/a/', 'c$', '/b/'), rights })
  const list = fc
    .uniqueArray(byPath, { maxLength: 4, selector: ({ path }) => path })
    .chain((grants) => fc.array(byPattern, { maxLength: 1 }).map((more) => [...grants, ...more]))
  const rule: fc.Arbitrary<Rule> = fc.record({
    regex: fc.constant(false),
    allow: fc.boolean(),
    path: paths().map(String),
    regexp: fc.constant(null),
  })
  const rules = fc.array(rule, { maxLength: 2 })
  const group = fc.record({ id: fc.nat(), name: fc.constant('g'), perm: permissions(), rules })
  return fc
    .record({ perm: permissions(), own: rules, rules, groups: fc.array(group, { maxLength: 2 }) })
    .chain(({ perm, own, rules: all, groups }) =>
      fc.array(list, { minLength: groups.length + 2, maxLength: groups.length + 2 }).map((grants) => ({
        account: { ...ACCOUNT, perm, rules: own },
        granted: { groups, grants },
        rules: all,
      })),
    )
}

/** Seldom an administrator, who may do everything. */
function permissions(): fc.Arbitrary<Permissions> {
  const each = Object.fromEntries(RIGHTS.map((right) => [right, right === 'admin' ? fc.nat(19).map((n) => n === 0) : fc.boolean()]))
  return fc.record(each) as fc.Arbitrary<Permissions>
}

function paths(): fc.Arbitrary<FilePath> {
  return fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }).map((names) => at(`/${names.join('/')}`))
}

function grant(path: string, role: keyof typeof ROLES): Grant {
  return { regex: false, path, rights: [...ROLES[role]] }
}

function pattern(path: string, role: keyof typeof ROLES): Grant {
  return { ...grant(path, role), regex: true }
}

function rolesAt(grants: ReturnType<typeof compileGrants>, ...all: string[]): unknown[] {
  return all.map((path) => {
    const rights = grants.rightsAt(at(path))
    if (rights === null) return null
    const names = FILE_RIGHTS.filter((right) => rights[right])
    return roleOf(names) ?? names
  })
}

function roleAt(access: Access, path: string): unknown {
  const rights = rightsAt(access, at(path))
  return roleOf(FILE_RIGHTS.filter((right) => rights[right]))
}
