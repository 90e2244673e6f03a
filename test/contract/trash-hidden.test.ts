import { expect, it, spyOn } from 'bun:test'
import { deny, EVERYTHING, onEachStorage } from './world.ts'
import { listed, refusal, remove } from './trash-calls.ts'
import { until } from './until.ts'

const ADMIN = { ...EVERYTHING, admin: true }

onEachStorage((product) => {
  it('a folder in which rules deny something cannot be removed for good by a user who may remove the rest (GHSA-77x8-73f4-5485)', async () => {
    await product().seed({ '/docs/secret/key': 'k', '/docs/a.txt': 'a', '/pub/x.txt': 'x', '/fine/y.txt': 'y' })
    await product().add('bob', { may: ADMIN, rules: [deny('/docs/secret')] })
    await product().add('pat', { may: ADMIN, rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'key' } }] })
    for (const path of ['/docs', '/pub', '/fine']) await remove(product(), 'ann', path)
    const entries = await listed(product(), 'ann')
    const purge = (who: string, name: string) =>
      refusal(
        product()
          .as(who)
          .trash.remove({ params: { id: entries.find((entry) => entry.name === name)?.id ?? '' } }),
      )
    expect([await purge('bob', 'docs'), await purge('pat', 'docs'), await purge('pat', 'pub')]).toEqual(['forbidden', 'forbidden', 'none'])
    await product()
      .as('bob')
      .trash.empty({ query: { all: 'true' } })
    await until(async () => (await product().as('bob').jobs.list({}))[0]?.state === 'failed')
    expect((await product().as('bob').jobs.list({}))[0]).toMatchObject({ items: 1, failed: { count: 1 }, error: { code: 'forbidden' } })
    // Their own deletion, after the rule came.
    await product().setRules('ann', [deny('/docs/secret')])
    expect(await purge('ann', 'docs')).toBe('forbidden')
    expect((await listed(product(), 'root', { all: 'true' })).map(({ name }) => name)).toEqual(['docs'])
    expect(await purge('root', 'docs')).toBe('none')
    expect(await product().storage.keptNodes('trash')).toEqual([])
  })

  it('sizes tell nothing of what is denied: neither of a folder, nor of a job that empties the trash', async () => {
    await product().seed({ '/pub/secret/key': 'k'.repeat(1000), '/pub/a.txt': 'a', '/fine/y.txt': 'yy', '/big': 'b'.repeat(5000) })
    await product().add('bob', { may: ADMIN, scope: '/pub' })
    await product().add('pat', { may: ADMIN, rules: [deny('/pub/secret')] })
    for (const path of ['/pub/secret', '/fine', '/big']) await remove(product(), 'ann', path)
    await product().seed({ '/pub/secret/key': 'k'.repeat(1000) })
    await remove(product(), 'ann', '/pub')
    await product().seed({ '/pub/': '' })
    await product().world.tidy()
    const sizes = async (who: string) => (await listed(product(), who, { all: 'true' })).map(({ name, size }) => [name, size])
    expect(await sizes('root')).toEqual([
      ['pub', 1001],
      ['big', 5000],
      ['fine', 2],
      ['secret', 1000],
    ])
    expect(await sizes('pat')).toEqual([
      ['pub', null],
      ['big', 5000],
      ['fine', 2],
    ])
    await product().setRules('bob', [deny('/secret')])
    await product()
      .as('bob')
      .trash.empty({ query: { all: 'true' } })
    await until(async () => (await product().as('bob').jobs.list({}))[0]?.state === 'done')
    expect((await product().as('bob').jobs.list({}))[0]).toMatchObject({ items: 0, done: 0, total: 0 })
    expect(await product().storage.keptNodes('trash')).toHaveLength(4)
  })

  it.each(['at once', 'slowly'])(
    'a next page is told only for what it shows, answered %s: or names that are denied could be guessed by `text`',
    async (pace) => {
      const names = ['/d/secret-plan', '/d/other', '/d/sec-mine', '/d/zzz-mine']
      await product().seed(Object.fromEntries(names.map((name) => [name, name])))
      await product().add('bob', { rules: [deny('/d/secret-plan')] })
      await remove(product(), 'ann', '/d/secret-plan')
      for (const path of names.slice(1)) await remove(product(), 'bob', path)
      const next = async (text: string) => {
        using _ = pace === 'slowly' ? slowClock() : null
        const page = await product()
          .as('bob')
          .trash.list({ query: { path: '/d', limit: '1', text } })
        return [page.entries.map(({ name }) => name), page.next]
      }
      expect(await next('sec')).toEqual([['sec-mine'], null])
      expect(await next('zzz')).toEqual([['zzz-mine'], null])
      expect(await next('other')).toEqual([['other'], null])
      expect((await listed(product(), 'bob', { path: '/d', limit: '1' })).map(({ name }) => name)).toEqual([
        'zzz-mine',
        'sec-mine',
        'other',
      ])
    },
  )
})

/** A second passes each time that this process looks at its clock. Over HTTP the server has its own, and is as slow as it is. */
function slowClock(): Disposable {
  const now = performance.now.bind(performance)
  let seconds = 0
  const spied = spyOn(performance, 'now').mockImplementation(() => now() + 1000 * ++seconds)
  return { [Symbol.dispose]: () => spied.mockRestore() }
}
