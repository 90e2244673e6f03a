import { expect, it } from 'bun:test'
import { fstatSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder, openRoot } from './open-folder.ts'
import { openRegular } from './open-file.ts'

it('R10: a file that cannot be checked after opening is closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-file-'))
  writeFileSync(join(folder, 'file'), 'x')
  using parent = openFolder(openRoot(folder), [])
  const opened: number[] = []
  const look = (fd: number): never => {
    opened.push(fd)
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  expect(() => openRegular(parent, 'file', look)).toThrow('EIO')
  expect(opened).toHaveLength(1)
  expect(() => fstatSync(opened[0] ?? -1)).toThrow('EBADF')
})
