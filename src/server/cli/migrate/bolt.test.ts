import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'bun:test'
import { writeBolt } from '../../../../tools/switch/bolt-file.ts'
import { BoltError, readBolt } from './bolt.ts'

const PAGE = 4096
const BRANCH = 1
/** The page of the only bucket that `crafted` writes. */
const BUCKET = 4
const folder = mkdtempSync(join(tmpdir(), 'satchel-bolt-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a crafted bolt file', () => {
  it('is read as far as its pages form a tree', () => {
    expect(crafted([[BUCKET + 1, BUCKET + 2]])).toEqual(['a', 'a'])
  })

  for (const [what, branches] of [
    ['names itself', [[BUCKET, BUCKET]]],
    ['names a page above it', [[BUCKET + 1], [BUCKET + 2], [BUCKET + 1]]],
    ['names one page twice', [[BUCKET + 1, BUCKET + 1]]],
    // 2^20 ways to the last page, which takes minutes to walk without a memory of the pages.
    ['doubles the ways at each level', Array.from({ length: 20 }, (_, level) => [BUCKET + level + 1, BUCKET + level + 1])],
  ] as const)
    it(`is refused at once where a page ${what}`, () => {
      const started = performance.now()
      expect(() => crafted(branches)).toThrow(BoltError)
      expect(performance.now() - started).toBeLessThan(1000)
    })
})

/** Keys of a bucket whose first pages are branches with these children, and all pages after them leaves with one entry. */
function crafted(branches: readonly (readonly number[])[]): string[] {
  const path = join(folder, 'crafted.db')
  writeBolt(path, { User: [['a', '1']] })
  const written = readFileSync(path)
  const leaf = written.subarray(BUCKET * PAGE, (BUCKET + 1) * PAGE)
  const pages = Array.from({ length: branches.length + 2 }, (_, index) => {
    const children = branches[index]
    const page = children === undefined ? Buffer.from(leaf) : branch(children)
    page.writeBigUInt64LE(BigInt(BUCKET + index))
    return page
  })
  writeFileSync(path, Buffer.concat([written.subarray(0, BUCKET * PAGE), ...pages]))
  return readBolt(path)
    .bucket('User')
    .map(({ key }) => key.toString())
}

function branch(children: readonly number[]): Buffer {
  const page = Buffer.alloc(PAGE)
  page.writeUInt16LE(BRANCH, 8)
  page.writeUInt16LE(children.length, 10)
  for (const [index, child] of children.entries()) page.writeBigUInt64LE(BigInt(child), 16 + index * 16 + 8)
  return page
}
