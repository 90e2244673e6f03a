import { expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../../../shared/file-path.ts'
import { commonFolder } from './common-folder.ts'

it('U10: results from several folders are packed from the innermost folder that holds all of them', () => {
  expect(commonFolder([at('/a/b/x'), at('/a/b/y')])).toBe(at('/a/b'))
  expect(commonFolder([at('/a/b/x'), at('/a/c/y'), at('/a/b/d/z')])).toBe(at('/a'))
  expect(commonFolder([at('/a/b/x'), at('/a/b')])).toBe(at('/a'))
  expect(commonFolder([at('/ab/x'), at('/a/x')])).toBe(ROOT)
  expect(commonFolder([])).toBe(ROOT)
})
