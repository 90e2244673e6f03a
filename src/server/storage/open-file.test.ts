import { expect, it } from 'bun:test'
import { fstatSync, openSync } from 'node:fs'
import { holdOpen } from './open-file.ts'

it('R10: a file that cannot be looked at after it was opened is closed', () => {
  const fd = openSync('/dev/null', 'r')
  const look = () => {
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  expect(() => holdOpen(fd, look)).toThrow('EIO')
  expect(() => fstatSync(fd)).toThrow('EBADF')
})
