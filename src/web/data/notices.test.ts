import { beforeEach, describe, expect, it } from 'bun:test'
import { changeNotice, closeNotice, notify, useNotices } from './notices.ts'

const texts = (which: 'shown' | 'past') => useNotices.getState()[which].map((notice) => notice.text)

beforeEach(() => useNotices.setState({ shown: [], past: [] }))

describe('notices', () => {
  it('are in order of arrival', () => {
    notify({ tone: 'success', text: 'one' })
    notify({ tone: 'error', text: 'two' })
    expect(texts('shown')).toEqual(['one', 'two'])
  })

  it('stay readable after they have gone', () => {
    const id = notify({ tone: 'success', text: 'Moved' })
    closeNotice(id)
    expect(texts('shown')).toEqual([])
    expect(texts('past')).toEqual(['Moved'])
  })

  it('change from running to done in place', () => {
    const id = notify({ tone: 'working', text: 'Copying' })
    notify({ tone: 'info', text: 'other' })
    changeNotice(id, { tone: 'success', text: 'Copied' })
    expect(texts('shown')).toEqual(['Copied', 'other'])
  })

  it('reappear when their work ends after they were closed', () => {
    const id = notify({ tone: 'working', text: 'Copying' })
    closeNotice(id)
    changeNotice(id, { tone: 'error', text: 'Failed' })
    expect(texts('shown')).toEqual(['Failed'])
    expect(texts('past')).toEqual([])
  })

  it('are limited to fifty', () => {
    for (let count = 0; count < 60; count++) closeNotice(notify({ tone: 'info', text: String(count) }))
    expect(useNotices.getState().past).toHaveLength(50)
    expect(texts('past')[0]).toBe('59')
  })
})
