import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { Stat, Storage } from '../../src/server/storage/storage.ts'
import { type Product, startProduct } from './world.ts'

/** A disk that knows no times of birth, and gives the number of a folder that was removed to the next. */
function birthless(storage: Storage): Storage {
  const withoutBirth = (stat: Stat | null): Stat | null => (stat?.kind === 'folder' ? { ...stat, identity: '46:20:0' } : stat)
  return {
    ...storage,
    stat: async (where) => withoutBirth(await storage.stat(where)),
    async find(path, options) {
      const handle = await storage.find(path, options)
      // The same object: the storage knows its handles.
      return Object.assign(handle, { stat: withoutBirth(handle.stat) })
    },
  }
}

describe('A12: a link to a folder, on a disk without birth times', () => {
  let product: Product
  beforeEach(async () => {
    product = await startProduct({ storage: 'local', around: birthless })
    await product.seed({ '/docs/a.txt': 'shared', '/other/b.txt': 'b' })
  })
  afterEach(() => product[Symbol.asyncDispose]())
  const onDisk = (path: string): string => join(product.root, path)
  const share = async (): Promise<string> => {
    const response = await product.ask('/api/share/docs', { method: 'POST', who: 'ann', body: '{}' })
    return ((await response.json()) as { hash: string }).hash
  }
  const visit = async (hash: string): Promise<number> => (await product.ask(`/api/public/share/${hash}`)).status

  it('does not serve another folder with its name and inode', async () => {
    const hash = await share()
    expect(await visit(hash)).toBe(200)
    rmSync(onDisk('docs'), { recursive: true })
    mkdirSync(onDisk('docs'))
    writeFileSync(onDisk('docs/private.txt'), 'of somebody else')
    expect(await visit(hash)).toBe(404)
    // Nor one that is shared itself.
    expect(await visit(await share())).toBe(200)
    expect(await visit(hash)).toBe(404)
  })

  it('survives changes in the folder and its renaming', async () => {
    const hash = await share()
    writeFileSync(onDisk('docs/new.txt'), 'past us')
    expect((await product.ask('/api/resources/docs/by-us.txt', { method: 'POST', who: 'ann', body: 'x' })).status).toBe(200)
    expect(await visit(hash)).toBe(200)
    const renamed = await product.ask('/api/resources/docs?action=rename&destination=/papers', { method: 'PATCH', who: 'ann' })
    expect(renamed.status).toBe(200)
    expect(await visit(hash)).toBe(200)
  })

  it('does not show its marker, and the folder can be removed if it contains nothing else', async () => {
    const hash = await share()
    const listed = await (await product.ask('/api/resources/docs', { who: 'ann' })).text()
    expect(listed).not.toContain('.satchel')
    expect((await product.ask('/api/raw/docs/.satchel/mark', { who: 'ann' })).status).toBe(404)
    expect((await product.ask('/api/resources/docs', { method: 'DELETE', who: 'ann' })).status).toBe(200)
    expect(await visit(hash)).toBe(404)
  })

  it('from an earlier version gets its marker at the next visit', async () => {
    const hash = await share()
    await product.db.updateTable('shares').set({ identity: '46:20:0' }).where('hash', '=', hash).execute()
    rmSync(onDisk('docs/.satchel'), { recursive: true })
    expect(await visit(hash)).toBe(200)
    renameSync(onDisk('docs'), onDisk('away'))
    mkdirSync(onDisk('docs'))
    expect(await visit(hash)).toBe(404)
  })
})
