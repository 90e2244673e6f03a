import { afterEach, describe, expect, it } from 'bun:test'
import { answer, ask, coverPage, dismissAllPrompts, isAsking, removePrompt, usePrompts } from './prompts.ts'

const shown = () => usePrompts.getState().shown
const first = () => shown()[0]?.id ?? 0
const sure = { title: 'Sure?', confirmLabel: 'Yes' }

// Dismissed dialogs stay until their animation has ended, which nothing shows here.
afterEach(() => usePrompts.setState({ shown: [], waiting: [] }))

describe('prompts', () => {
  it('return the answer to the caller', async () => {
    const asked = ask('confirm', sure)
    answer(first(), true)
    expect(await asked).toBe(true)
  })

  it('are null when closed without an answer', async () => {
    const asked = ask('confirm', sure)
    answer(first(), null)
    expect(await asked).toBeNull()
  })

  it('are shown one at a time, in order', async () => {
    const one = ask('confirm', { ...sure, title: 'one' })
    const two = ask('confirm', { ...sure, title: 'two' })
    expect(shown().map((asked) => asked.props)).toEqual([{ ...sure, title: 'one' }])

    const firstId = first()
    answer(firstId, true)
    await one
    expect(shown()).toHaveLength(1)
    removePrompt(firstId)
    expect(shown().map((asked) => asked.props)).toEqual([{ ...sure, title: 'two' }])

    answer(first(), null)
    expect(await two).toBeNull()
  })

  it('can be shown above another if requested', async () => {
    const below = ask('help', {})
    const above = ask('confirm', sure, { onTop: true })
    const aboveId = shown()[1]?.id ?? 0
    answer(aboveId, true)
    removePrompt(aboveId)
    expect(await above).toBe(true)
    expect(shown().map((asked) => asked.kind)).toEqual(['help'])
    answer(first(), null)
    expect(await below).toBeNull()
  })

  it('count the first answer only', async () => {
    const asked = ask('confirm', sure)
    const id = first()
    answer(id, null)
    answer(id, true)
    expect(await asked).toBeNull()
  })

  it('use-6: the page is not asked while something else covers it, such as the drawer', () => {
    const uncover = coverPage()
    expect(isAsking()).toBe(true)
    uncover()
    expect(isAsking()).toBe(false)
  })

  it('all end without an answer on navigation', async () => {
    const asked = [ask('confirm', sure), ask('help', {}), ask('confirm', sure)]
    dismissAllPrompts()
    expect(await Promise.all(asked)).toEqual([null, null, null])
    expect(isAsking()).toBe(false)
  })
})
