import { withDocument } from '../../../test-dom.ts'
import { expect, it } from 'bun:test'

withDocument()

const { createMergeView } = await import('./merge-view.ts')

const lines = (count: number, change: number | null = null) =>
  Array.from({ length: count }, (_, at) => (at === change ? 'another line' : `line ${at}`)).join('\n')

it.each([1, 2] as const)('finds what differs, in %i columns, and folds what does not', (columns) => {
  const parent = document.createElement('div')
  document.body.append(parent)
  const shared = { parent, name: 'a.txt', labels: { before: 'old', after: 'new' }, phrases: { '$ unchanged lines': '$ gleiche' }, columns }
  const merge = createMergeView({ ...shared, before: lines(100), after: lines(100, 50), whole: false })
  expect(merge.changes).toBe(1)
  expect(parent.querySelectorAll('.cm-editor')).toHaveLength(columns)
  expect(parent.querySelector('.cm-collapsedLines')?.textContent).toContain('gleiche')
  expect(parent.querySelector('[contenteditable=true]')?.getAttribute('aria-readonly')).toBe('true')
  merge.destroy()
  expect(createMergeView({ ...shared, before: 'same', after: 'same', whole: true }).changes).toBe(0)
})
