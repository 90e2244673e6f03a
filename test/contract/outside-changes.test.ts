import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, onEachStorage } from './world.ts'
import { refusal } from './trash-calls.ts'

onEachStorage((product) => {
  type Query = Partial<Record<'below' | 'by' | 'kind' | 'after' | 'limit' | 'from' | 'to', string>>
  const list = (who: string, path: string, query: Query = { below: 'true' }) =>
    product()
      .as(who)
      .operations.list({ query: { path, ...query } as never })
  const told = async (who: string, path: string, query?: Query) =>
    (await list(who, path, query)).outside.map(({ counts, items }) => [
      counts.appeared + counts.changed + counts.gone,
      ...items.map(({ change, path: seen }) => `${change} ${seen}`),
    ])
  let moment = 0
  const found = async (folder: string, items: readonly string[], more = 0) => {
    const last = product().world.clock().getTime() + ++moment
    const all = items.map((text) => {
      const [change = '', path = ''] = text.split(' ')
      return { change: change as 'appeared' | 'changed' | 'gone', path: at(path), folder: false }
    })
    const count = (wanted: string): number => all.filter(({ change }) => change === wanted).length
    const counts = { appeared: count('appeared') + more, changed: count('changed'), gone: count('gone') }
    await product().world.outside.store.add({ path: at(folder), first: last, last, counts, items: all })
  }

  it('what other programs changed is in the history of its folder, of those above and of what is named', async () => {
    await product().seed({ '/d/a.txt': 'a', '/d/b.txt': 'b', '/e/c.txt': 'c' })
    await found('/d', ['appeared /d/a.txt', 'changed /d/b.txt', 'gone /d/x.txt'], 10)
    await found('/e', ['changed /e/c.txt'])
    const inD = [13, 'appeared /d/a.txt', 'changed /d/b.txt', 'gone /d/x.txt']
    expect(await told('root', '/')).toEqual([[1, 'changed /e/c.txt'], inD])
    expect(await told('root', '/d')).toEqual([inD])
    expect(await told('root', '/d/a.txt', {})).toEqual([[1, 'appeared /d/a.txt']])
    expect(await told('root', '/d', {})).toEqual([])
    expect(await told('root', '/', { below: 'true', kind: 'create' })).toEqual([[1, 'appeared /d/a.txt']])
    expect(await told('root', '/', { below: 'true', by: 'root' })).toEqual([])
    expect(await told('root', '/', { below: 'true', kind: 'move' })).toEqual([])
    expect(await refusal(list('root', '/gone'))).toBe('not-found')
  })

  it('it comes in the same pages as gestures, each once', async () => {
    await product().seed({ '/d/': '' })
    for (let n = 0; n < 4; n++) {
      await product().ask(`/api/resources/d/${n}.txt`, { method: 'POST', who: 'ann', body: 'x' })
      await found('/d', [`changed /d/${n}.txt`])
    }
    const seen: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list('ann', '/', { below: 'true', limit: '3', ...(after !== '' && { after }) })
      expect(page.gestures.length + page.outside.length).toBeLessThanOrEqual(3)
      seen.push(
        ...page.gestures.map(({ items }) => `did ${items.at(-1)?.path}`),
        ...page.outside.map(({ items }) => `saw ${items[0]?.path}`),
      )
      after = page.next
    }
    expect(seen.toSorted()).toEqual([0, 1, 2, 3].flatMap((n) => [`did /d/${n}.txt`, `saw /d/${n}.txt`]).toSorted())
  })

  it('nobody learns of what scope, rules or hidden names keep from them, nor how much it is', async () => {
    await product().seed({ '/d/open.txt': '', '/d/secret/s.txt': '', '/other/o.txt': '' })
    await product().add('bob', { rules: [deny('/d/secret')] })
    await product().add('eve', { may: { ...EVERYTHING, admin: false, create: false } })
    await product().add('carl', { scope: '/other' })
    await product().add('dan', { hideDotfiles: true })
    await found('/d/secret', ['appeared /d/secret/s.txt'], 5)
    await found('/d', ['changed /d/open.txt', 'changed /d/secret', 'changed /d/.hidden', 'gone /d/gone.txt'], 5)
    await found('/other', ['changed /other/o.txt'])
    const other = [1, 'changed /other/o.txt']
    expect(await told('bob', '/')).toEqual([other, [3, 'changed /d/open.txt', 'changed /d/.hidden', 'gone /d/gone.txt']])
    expect(await told('dan', '/')).toEqual([
      other,
      [3, 'changed /d/open.txt', 'changed /d/secret', 'gone /d/gone.txt'],
      [1, 'appeared /d/secret/s.txt'],
    ])
    expect((await told('eve', '/')).flat()).not.toContain('gone /d/gone.txt')
    expect(await told('carl', '/')).toEqual([[1, 'changed /o.txt']])
  })
})
