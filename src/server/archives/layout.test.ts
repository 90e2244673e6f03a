import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, nameOf, ROOT } from '../../shared/file-path.ts'
import { openDrive } from '../drive/drive.ts'
import { EVERYTHING } from '../access/everything.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { pathOf, type Storage } from '../storage/storage.ts'
import { write } from '../storage/test-samples.ts'
import { bytesOf } from '../../shared/file-part.ts'
import { layOut } from './layout.ts'
import { layoutBytes } from './layout-bytes.ts'
import { selectPaths } from './selection.ts'
import { tar } from './tar.ts'

describe('an archive layout', () => {
  it('skips files that cannot be opened, whatever their permission bits say', async () => {
    const { names, text } = await laidOut({ names: ['a', 'b', 'c'], broken: 'b' })
    expect(names).toEqual(['a', 'c', '_errors.txt'])
    expect(text).toContain('"/b": EIO')
  })

  it('contains names, sizes and bytes of more files than fit in one batch', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => `f${String(i).padStart(4, '0')}`)
    const { names, text, size } = await laidOut({ names: many, broken: '' })
    expect(names).toEqual(many)
    expect(text.length).toBe(size)
    for (const name of many) expect(text).toContain(`the text of ${name}\0`)
  })
})

async function laidOut({ names, broken }: { names: readonly string[]; broken: string }) {
  const storage = createMemoryStorage()
  for (const name of names) await write(storage, at(`/${name}`), `the text of ${name}`)
  const drive = openDrive(refusing(storage, broken), EVERYTHING)
  const layout = await layOut(drive, await selectPaths(drive, [ROOT], { rootName: 'x' }), { frame: tar, name: 'x.tar' })
  const nothing = async () => undefined
  const checksums = { recall: async () => [], learn: nothing, save: nothing, sweep: nothing }
  const { signal } = new AbortController()
  const chunks: Uint8Array[] = []
  const parts = layoutBytes(layout, { drive, checksums, start: 0, end: layout.size, signal })
  for await (const chunk of bytesOf(parts)) chunks.push(chunk)
  const members = Array.from({ length: layout.count }, (_, i) => layout.member(i).name)
  return { names: members, text: Buffer.concat(chunks).toString('latin1'), size: layout.size }
}

/** A disk that fails for one name. */
function refusing(storage: Storage, broken: string): Storage {
  return {
    ...storage,
    open: async (path) =>
      nameOf(pathOf(path)) === broken ? Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })) : storage.open(path),
    readable: async (folder, names) => {
      const readable = await storage.readable(folder, names)
      return readable.map((value, i) => (names[i] === broken ? 0 : value))
    },
  }
}
