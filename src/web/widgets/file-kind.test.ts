import { describe, expect, it } from 'bun:test'
import { fileKind, labelOf } from './file-kind.ts'

describe('the glyph of a file', () => {
  it('carries letters of the extension itself', () => {
    expect(['a.jpg', 'x.tar.zst', 'b.parquet', 'README', '.profile', 'trailing.', 'a.b c'].map(labelOf)).toEqual([
      'JPG',
      'ZST',
      'PAR',
      '',
      '',
      '',
      '',
    ])
  })

  it('tells documents, sheets, archives and text apart', () => {
    const kind = (name: string) => fileKind({ name, type: name.endsWith('.ts') ? 'text' : 'blob', isDir: false })
    expect(['a.docx', 'a.xlsx', 'a.key', 'a.ZIP', 'a.ts', 'a.bin'].map(kind)).toEqual([
      'document',
      'sheet',
      'slides',
      'archive',
      'code',
      'other',
    ])
  })

  it('is a folder for folders, whatever they are called', () => {
    expect(fileKind({ name: 'photos.zip', type: '', isDir: true })).toBe('folder')
  })
})
