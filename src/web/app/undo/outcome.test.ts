import { describe, expect, it } from 'bun:test'
import type { Job } from '../../../shared/contract/jobs.ts'
import type { OperationKind, UndoOutcome } from '../../../shared/contract/operations.ts'
import { noticeOf } from './outcome.ts'

const item = (kind: OperationKind, path: string | null, outcome: UndoOutcome = 'done') => ({ kind, path, outcome })
const told = (...items: ReturnType<typeof item>[]) => noticeOf('undo', { items }, null)

describe('what is told of an undo', () => {
  it('names one item, counts several of one kind, and counts changes of several kinds', () => {
    expect(told(item('move', '/d/a.txt'))).toEqual({ tone: 'success', text: '“a.txt” moved back' })
    expect(told(item('delete', '/a'), item('delete', '/b'))?.text).toBe('2 items restored')
    expect(told(item('create', '/a.txt'))?.text).toBe('“a.txt” moved to the trash')
    expect(told(item('replace', '/a.txt'))?.text).toBe('Earlier content of “a.txt” restored')
    expect(told(item('create', '/a'), item('move', '/b'))?.text).toBe('Undone: 2 changes')
  })

  it('says of a redo what was done again', () => {
    expect(noticeOf('redo', { items: [item('move', '/a')] }, 'Move “a”')).toEqual({ tone: 'success', text: 'Redone: Move “a”' })
  })

  it('says why something was left as it is, what was done nevertheless, and lists each of several', () => {
    expect(told(item('create', '/a.txt', 'changed'), item('move', '/b.txt'))).toEqual({
      tone: 'error',
      text: '“a.txt” was left as it is',
      detail: 'It has been changed since. “b.txt” moved back.',
    })
    const notice = told(item('delete', '/d/a', 'conflict'), item('delete', null, 'refused'), item('delete', '/c', 'gone'))
    expect(notice?.text).toBe('3 items could not be restored')
    const lines = notice?.output?.split('\n') ?? []
    expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(['/d/a', '…', '/c'])
    expect(new Set(lines.map((line) => line.slice(line.indexOf(':')))).size).toBe(3)
  })

  it('lists a hundred at most', () => {
    const notice = told(...Array.from({ length: 150 }, (_, n) => item('move', `/${n}`, 'changed')))
    expect(notice?.output?.split('\n')).toHaveLength(101)
    expect(notice?.output).toEndWith('\n…')
  })

  it('tells the end of a long one, and nothing of one that was cancelled', () => {
    const job = (fields: Partial<Job>) => noticeOf('undo', { job: { ...JOB, ...fields } }, null)
    expect(job({})).toEqual({ tone: 'success', text: 'Undone: 1,200 changes' })
    expect(job({ state: 'cancelled' })).toBeNull()
    expect(noticeOf('undo', { job: null }, null)).toBeNull()
    expect(job({ state: 'interrupted' })?.tone).toBe('error')
    const failed = { count: 3, first: [] }
    expect(job({ state: 'failed', failed })?.text).toBe('3 items were left as they are')
  })
})

const JOB: Job = {
  id: '00000000-0000-7000-8000-000000000001',
  kind: 'undo',
  state: 'done',
  name: '',
  destination: '',
  done: 1200,
  total: 1200,
  speed: 0,
  items: 1200,
  leftOut: { count: 0, first: [] },
  failed: { count: 0, first: [] },
  error: null,
  createdAt: 0,
  endedAt: 1,
}
