import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'bun:test'
import { updateOptimistically } from './optimistic.ts'

const KEY = ['list']
const without = (name: string) => (list: readonly string[]) => list.filter((one) => one !== name)

describe('an optimistic update', () => {
  it('B2: is rolled back alone, whatever was changed before and after it', () => {
    const queries = withList(['a', 'b', 'c', 'd'])
    const takeBack = ['a', 'b', 'c'].map((name) => updateOptimistically(queries, KEY, without(name)))
    expect(queries.getQueryData<string[]>(KEY)).toEqual(['d'])
    takeBack[1]?.()
    expect(queries.getQueryData<string[]>(KEY)).toEqual(['b', 'd'])
    takeBack[2]?.()
    takeBack[0]?.()
    expect(queries.getQueryData<string[]>(KEY)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keeps later data from the server', () => {
    const queries = withList(['a', 'b'])
    const takeBack = updateOptimistically(queries, KEY, without('a'))
    queries.setQueryData(KEY, ['b', 'new'])
    takeBack()
    expect(queries.getQueryData<string[]>(KEY)).toEqual(['b', 'new'])
  })

  it('does nothing for a query without data', () => {
    const queries = new QueryClient()
    updateOptimistically(queries, KEY, without('a'))()
    expect(queries.getQueryData(KEY)).toBeUndefined()
  })
})

function withList(list: readonly string[]): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  queries.setQueryData(KEY, list)
  return queries
}
