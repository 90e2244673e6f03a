import { afterEach, describe, expect, it, mock, spyOn } from 'bun:test'
import { RE2JS } from 're2js'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { placesOfDifference } from './difference.ts'
import { effectOf } from './effect.ts'
import { MAX_INSTRUCTIONS } from './instructions.ts'
import { type PlannedDeps, type PlannedPerson, plannedPeople, type Standing } from './planned.ts'

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
        async enters(known) {
          const isEntered = await enters(known)
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

describe('many patterns at once', () => {
  afterEach(() => mock.restore())
  const patterns = (count: number, text: string) => Array.from({ length: count }, (_, n) => pattern(`${text}${n}$`))

  it('use2-1: a thousand expressions let other requests run at least every 50 ms, by a clock that only patterns move', async () => {
    const rules = patterns(1000, 'secret')
    const slices = slicesOf({ compileMs: 4, matchMsPerInstruction: 0.001 })
    const planned = await plannedPeople({ what: 'everybody', rules }, PLANNED_DEPS)
    const told = await effectOf(planned, { ...(await options()), limitMs: 60_000 })
    const { longest, count } = slices.done()
    expect(told.state).toBe('complete')
    expect(count).toBeGreaterThan(100)
    expect(longest).toBeLessThan(50)
  })

  it('use2-2: more than a step can try are not counted, and no more of them is compiled', async () => {
    const large = patterns(1000, '(one|two|three[0-9]{1,50}){1,5}')
    let compiled = 0
    const compile = RE2JS.compile.bind(RE2JS)
    spyOn(RE2JS, 'compile').mockImplementation((...how) => {
      compiled += 1
      return compile(...how)
    })
    const told = await effectOf([person('ann', standing(large))], await options())
    expect(told).toMatchObject({ state: 'too-many-patterns', opens: { count: 0 }, closes: { count: 0 } })
    expect(compiled).toBeLessThan(MAX_INSTRUCTIONS / 100)
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

/** How long the server is busy at a time, if each pattern takes so long. */
function slicesOf({ compileMs, matchMsPerInstruction }: { compileMs: number; matchMsPerInstruction: number }) {
  let clock = 0
  let since = 0
  const slices: number[] = []
  const cut = (): void => {
    slices.push(clock - since)
    since = clock
  }
  const { compile } = RE2JS
  const { test } = RE2JS.prototype
  const wait = globalThis.setImmediate
  spyOn(performance, 'now').mockImplementation(() => clock)
  spyOn(RE2JS, 'compile').mockImplementation((...how) => {
    clock += compileMs
    return compile.apply(RE2JS, how)
  })
  spyOn(RE2JS.prototype, 'test').mockImplementation(function (this: RE2JS, ...how) {
    clock += this.programSize() * matchMsPerInstruction
    return test.apply(this, how)
  })
  spyOn(globalThis, 'setImmediate').mockImplementation(((next: () => void) => {
    cut()
    return wait(next)
  }) as typeof setImmediate)
  return {
    done() {
      cut()
      return { longest: Math.max(...slices), count: slices.length }
    },
  }
}

const PLANNED_DEPS = {
  users: { all: async () => [{ ...BEFORE.account, id: 1, username: 'ann', disabled: false }], find: async () => null },
  groups: { all: async () => [] },
  people: { planned: async () => null },
  settings: { read: async () => BEFORE.settings },
  grantedToEverybody: async () => () => BEFORE.granted,
} as unknown as PlannedDeps

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
    given: { owners: async () => new Set<number>(), of: async () => [] },
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
