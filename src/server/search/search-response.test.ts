import { expect, it } from 'bun:test'
import type { SearchCut, SearchHit } from '../../shared/contract/search.ts'
import { respondLines } from './search-response.ts'

it('U10: a long search reports how many files it has read, except to clients of 2.63', async () => {
  for (const form of ['ours', 'old'] as const) {
    const goOn = Promise.withResolvers<void>()
    let read = 0
    async function* search(): AsyncGenerator<SearchHit, SearchCut | null> {
      read = 12
      await goOn.promise
      yield { path: 'a', dir: false, url: '/files/a' }
      return null
    }
    const response = respondLines(search(), { form, onLeave: () => {}, onEnd: () => {}, read: () => read, heartbeatMs: 1000 })
    const reader = response.body?.getReader()
    let text = ''
    const readOn = async (): Promise<boolean> => {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      text += new TextDecoder().decode(value)
      return !done
    }
    if (form === 'ours') while (!text.includes('"read"')) await readOn()
    goOn.resolve()
    while (await readOn());
    const told = text.split('\n').filter((line) => line !== '')
    if (form === 'ours') expect(told).toEqual(['{"read":12}', '{"path":"a","dir":false,"url":"/files/a"}', '{"end":true,"cut":null}'])
    else expect(told).toEqual(['{"path":"a","dir":false,"url":"/files/a"}'])
  }
})
