import { describe, expect, it } from 'bun:test'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { placesOfDifference } from './difference.ts'
import { effectOf } from './effect.ts'
import type { PlannedPerson, Standing } from './planned.ts'

const BEFORE = standing([])

describe('what a change would open and close', () => {
  it('stops when the time is over, and says so', async () => {
    const told = await effectOf([person('ann', standing([deny('/docs')]))], { ...(await options()), limitMs: -1 })
    expect(told).toMatchObject({ state: 'stopped', closes: { count: 0 } })
  })

  it('says “at least” of a folder that the index is reading again', async () => {
    const some = await options()
    const told = await effectOf([person('ann', standing([pattern('x')]))], { ...some, index: { ...some.index, below: async () => null } })
    expect(told.state).toBe('stopped')
  })

  it('fails when the client has gone', async () => {
    const left = effectOf([person('ann', standing([deny('/docs')]))], { ...(await options()), signal: AbortSignal.abort() })
    expect(
      await left.then(
        () => 'told',
        (error: unknown) => (error as Error).name,
      ),
    ).toBe('AbortError')
  })

  it('enters only folders in which something can differ', async () => {
    const some = await options()
    const entered: string[] = []
    const below: TreeIndex['below'] = (folder, { signal, enters = () => true }) =>
      some.index.below(folder, {
        signal,
        enters(known) {
          const isEntered = enters(known)
          if (isEntered) entered.push(known.path)
          return isEntered
        },
      })
    const told = await effectOf([person('ann', standing([deny('/docs/deep')]))], { ...some, index: { ...some.index, below } })
    expect([entered, told.closes.people[0]?.files]).toEqual([['/docs'], 2])
  })

  it('looks at the same access once, also if several people have it', async () => {
    const some = await options()
    let asked = 0
    const sums: TreeIndex['sums'] = (...how) => {
      asked += 1
      return some.index.sums(...how)
    }
    const people = Array.from({ length: 50 }, (_, n) => person(`person ${n}`, standing([deny('/docs')])))
    const told = await effectOf(people, { ...some, index: { ...some.index, sums } })
    expect([told.closes.count, told.closes.people.length, asked]).toEqual([50, 5, 1])
  })
})

describe('where two standings can differ', () => {
  const between = (before: Rule[], after: Rule[]) => placesOfDifference(standing(before), standing(after), at('/home'))
  it('is below the paths that only one of them names', () => {
    expect(between([deny('/a'), deny('/b')], [deny('/a'), deny('/c'), deny('/b')])).toEqual([at('/home/c')])
    expect(between([deny('/a')], [deny('/a')])).toEqual([])
    expect(between([deny('/a'), deny('/b')], [deny('/b'), deny('/a')])?.toSorted()).toEqual(
      ['/home/a', '/home/a', '/home/b', '/home/b'].map(at),
    )
  })
  it('is everywhere for a pattern, other rights and another folder', () => {
    expect(between([], [pattern('a')])).toBeNull()
    const { account } = BEFORE
    for (const other of [{ scope: '/x' }, { hideDotfiles: true }, { perm: { ...ALL_RIGHTS, admin: false } }])
      expect(placesOfDifference(BEFORE, { ...BEFORE, account: { ...account, ...other } }, ROOT)).toBeNull()
  })
})

async function options() {
  const storage = createMemoryStorage()
  for (const folder of ['/docs', '/docs/deep', '/other']) await storage.makeFolder(at(folder))
  for (const name of ['/docs/deep/1', '/docs/deep/2', '/docs/3', '/other/4']) {
    const staged = storage.stage(name.slice(-1), { near: at(name) })
    await staged.append(Buffer.from('text'))
    await staged.commit(at(name), { replace: false })
  }
  const index = createMemoryIndex(storage)
  await index.read()
  return {
    index,
    placeOf,
    shown: (place: FilePath) => place,
    people: 5,
    examples: 3,
    limitMs: 10_000,
    signal: new AbortController().signal,
  }
}

const placeOf = async (scope: FilePath): Promise<FilePath> => scope

function standing(rules: Rule[]): Standing {
  return {
    account: { scope: '/', perm: ALL_RIGHTS, rules, hideDotfiles: false },
    settings: { rules: [] },
    granted: { groups: [], grants: [[], []] },
  }
}

function person(username: string, after: Standing): PlannedPerson {
  return { id: 1, username, before: BEFORE, after }
}

function deny(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

function pattern(raw: string): Rule {
  return { regex: true, allow: false, path: '', regexp: { raw } }
}
