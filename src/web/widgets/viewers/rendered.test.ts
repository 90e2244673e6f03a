import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import { placeBeside, renderedKind } from './rendered.ts'

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
    expect(placeBeside(folder, 'a b.png')).toBe(parseFilePath('/docs/guide/a b.png'))
    expect(placeBeside(folder, './x/../a.png')).toBe(parseFilePath('/docs/guide/a.png'))
    expect(placeBeside(folder, '../../a.png')).toBe(parseFilePath('/a.png'))
    expect(placeBeside(folder, '/top.png')).toBe(parseFilePath('/top.png'))
    expect(placeBeside(folder, '../../../etc/passwd')).toBeNull()
    expect(placeBeside(folder, 'a\0b')).toBeNull()
  })
})
