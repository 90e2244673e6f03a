import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { FileNow, Storage } from '../storage/storage.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { readNow } from './read-now.ts'
import { accessOf, deny } from './samples.suite.ts'

const asked: string[] = []
const FILE: FileNow = {
  stat: { kind: 'file', size: 1, modified: 0, mode: 0o644, identity: 'a' },
  bytes: new Uint8Array(1),
}
const storage: Storage = {
  ...createMemoryStorage(),
  readNow(path) {
    asked.push(path)
    return FILE
  },
}
const read = (access: Access, path = '/a') => readNow(storage, access, at(path))

it('P2: reads at once what somebody may download where no rule and no hidden name applies', () => {
  expect(read(accessOf({ scope: '/home', start: '/ann' }))).toBe(FILE)
  expect(asked).toEqual(['/home/ann/a'])
  expect(read(accessOf({ may: { download: false } }))).toBeNull()
  expect(read(accessOf({ rules: [deny('/other')] }))).toBeNull()
  expect(read(accessOf({ hideDotfiles: true }))).toBeNull()
  expect(asked).toHaveLength(1)
})

it('P2: reads by the access of this moment, and nothing while that is looked up', () => {
  const lost = accessOf({ may: { download: false } })
  const gained = accessOf()
  expect(read({ ...gained, latest: () => lost })).toBeNull()
  expect(read({ ...lost, latest: () => gained })).toBe(FILE)
  expect(read({ ...gained, latest: async () => gained })).toBeNull()
  expect(read({ ...gained, latest: () => Promise.reject(new Error('ended')) })).toBeNull()
})
