import { describe, expect, it } from 'bun:test'
import { ROW_FOLDER, type Rows } from '../../../shared/contract/resources.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { findConflicts } from './conflicts.ts'
import type { Dropped } from './dropped.ts'

describe('conflicts of a drop', () => {
  it('are found before any byte is sent, also in subfolders', async () => {
    const { read } = tree({ '/docs': ['a.txt', 'sub/'], '/docs/sub': ['b.txt'] })
    const found = await findConflicts(parseFilePath('/docs'), drop('a.txt', 'new.txt', 'sub/b.txt', 'sub/c.txt'), read)
    expect(found.map(({ path }) => String(path))).toEqual(['/docs/a.txt', '/docs/sub/b.txt'])
  })

  it('read each folder once, and none below missing ones', async () => {
    const { read, asked } = tree({ '/docs': [] })
    await findConflicts(parseFilePath('/docs'), drop('x/1', 'x/2', 'x/y/3', '4'), read)
    expect(asked).toEqual(['/docs'])
  })

  it('report a folder in the place of a file', async () => {
    const { read } = tree({ '/docs': ['a/'] })
    const [conflict] = await findConflicts(parseFilePath('/docs'), drop('a'), read)
    expect(conflict?.existing.isFolder).toBe(true)
  })
})

function drop(...paths: string[]): Dropped[] {
  return paths.map((path) => ({ path: parseFilePath(path), file: new File(['x'], path.split('/').at(-1) ?? '') }))
}

function tree(folders: Record<string, string[]>): { read: (path: string) => Promise<Rows | null>; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async read(path) {
      asked.push(path)
      const children = folders[path]
      if (children === undefined) return null
      return {
        kind: 'rows',
        path,
        name: '',
        modified: '',
        sorting: { by: 'name', asc: false },
        numDirs: 0,
        numFiles: 0,
        names: children.map((name) => name.replace(/\/$/, '')),
        sizes: children.map(() => 1),
        modifieds: children.map(() => 0),
        types: children.map((name) => (name.endsWith('/') ? ROW_FOLDER : 0)),
      }
    },
  }
}
