import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { type Disk, makeWithNumber, mountDisk } from './disk.ts'
import { type Product, startProduct } from './world.ts'

/** Mounts a file as a disk, so it needs root, like the tests of faults.test.ts. */
describe('A12: a link, on a disk without birth times that reuses inodes at once', () => {
  let home: string
  let folder: string
  let disk: Disk
  let product: Product
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'satchel-birthless-'))
    folder = join(home, 'served')
    disk = mountDisk('ext4', { home, at: folder })
    product = await startProduct({ storage: { folder } })
    await product.seed({ '/docs/a.txt': 'shared', '/a.txt': 'shared' })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    disk[Symbol.dispose]()
    rmSync(home, { recursive: true })
  })

  const onDisk = (path: string): string => join(folder, path)
  const share = async (path: string): Promise<string> => {
    const response = await product.ask(`/api/share${path}`, { method: 'POST', who: 'ann', body: '{}' })
    return ((await response.json()) as { hash: string }).hash
  }
  const visit = async (hash: string, below = ''): Promise<string> => {
    const response = await product.ask(`/api/public/dl/${hash}${below}`)
    return `${response.status} ${await response.text()}`
  }

  /** Removes what is there, past us, and puts something else with its number in its place. */
  const replace = async (path: string, make: (at: string) => void): Promise<void> => {
    const { ino, birthtimeNs } = statSync(onDisk(path), { bigint: true })
    expect(birthtimeNs).toBe(0n)
    rmSync(onDisk(path), { recursive: true })
    await makeWithNumber(onDisk(path), Number(ino), make)
  }

  it('to a folder does not serve its replacement', async () => {
    const hash = await share('/docs')
    expect(await visit(hash, '/a.txt')).toBe('200 shared')
    await replace('docs', (at) => {
      mkdirSync(at)
      writeFileSync(join(at, 'a.txt'), 'of somebody else')
    })
    expect(await visit(hash, '/a.txt')).toStartWith('404')
    expect((await product.ask(`/api/public/share/${hash}`)).status).toBe(404)
  }, 300_000)

  it('to a file does not serve its replacement, however soon after the write', async () => {
    const hash = await share('/a.txt')
    expect(await visit(hash)).toBe('200 shared')
    await replace('a.txt', (at) => writeFileSync(at, 'of somebody else'))
    expect(await visit(hash)).toStartWith('404')
  }, 300_000)

  it('to a folder survives a rename, and ends when the folder is replaced', async () => {
    const hash = await share('/docs')
    const renamed = await product.ask('/api/resources/docs?action=rename&destination=/papers', { method: 'PATCH', who: 'ann' })
    expect(renamed.status).toBe(200)
    expect(await visit(hash, '/a.txt')).toBe('200 shared')
    renameSync(onDisk('papers'), onDisk('away'))
    mkdirSync(onDisk('papers'))
    writeFileSync(onDisk('papers/a.txt'), 'of somebody else')
    expect(await visit(hash, '/a.txt')).toStartWith('404')
  })
})
