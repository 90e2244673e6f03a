import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import { resolveReference, renderedKind } from './rendered.ts'

describe('a text that stands for more', () => {
  it('is Markdown or a table by its name', () => {
    expect(['a.MD', 'a.markdown', 'a.csv', 'a.tsv', 'a.txt', 'md'].map(renderedKind)).toEqual([
      'markdown',
      'markdown',
      'table',
      'table',
      null,
      null,
    ])
  })

  it('refers to what lies beside it, and to nothing above what its reader has', () => {
    const folder = parseFilePath('/docs/guide')
    expect(resolveReference(folder, 'a b.png')).toBe(parseFilePath('/docs/guide/a b.png'))
    expect(resolveReference(folder, './x/../a.png')).toBe(parseFilePath('/docs/guide/a.png'))
    expect(resolveReference(folder, '../../a.png')).toBe(parseFilePath('/a.png'))
    expect(resolveReference(folder, '/top.png')).toBe(parseFilePath('/top.png'))
    expect(resolveReference(folder, '../../../etc/passwd')).toBeNull()
    expect(resolveReference(folder, 'a\0b')).toBeNull()
  })
})
