import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { failure, write } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import { type Drive, openDrive } from './drive.ts'
import type { OperationOptions } from './operation.ts'
import { accessOf, bytes, deny, manifest, PLAIN, REPLACE, type Who } from './samples.suite.ts'

const TREE = { '/team/x/file': 'old', '/team/new/': '', '/mine/file': 'mine' }

/** What somebody does; `ready` is where hooks run, for up to five minutes. */
const OPERATIONS = Object.entries<(drive: Drive, options: OperationOptions) => Promise<unknown>>({
  'an upload': async (drive, options) =>
    drive.put(at('/team/x/new'), await bytes(drive, at('/team/x/new'), 'new'), { replace: false, ...options }),
  'an upload over a file': async (drive, options) =>
    drive.put(at('/team/x/file'), await bytes(drive, at('/team/x/file'), 'new'), { replace: true, ...options }),
  'a save': async (drive, options) => drive.save(at('/team/x/file'), await bytes(drive, at('/team/x/file'), 'new'), options),
  'a new folder': (drive, options) => drive.makeFolder(at('/team/x/folder'), options),
  'a copy into it': (drive, options) => drive.copy(at('/mine/file'), at('/team/x/file'), { ...REPLACE, ...options }),
  'a copy out of it': (drive, options) => drive.copy(at('/team/x/file'), at('/mine/copy'), { ...PLAIN, ...options }),
  'a move into it': (drive, options) => drive.move(at('/mine/file'), at('/team/x/file'), { ...REPLACE, ...options }),
  'a move out of it': (drive, options) => drive.move(at('/team/x/file'), at('/mine/moved'), { ...PLAIN, ...options }),
  'a deletion': (drive, options) => drive.remove(at('/team/x/file'), options),
})

const CHANGES = Object.entries<Who>({
  'a rule denies the folder': { rules: [deny('/team/x')] },
  'all rights are taken': { may: { create: false, modify: false, rename: false, delete: false } },
})

describe.each([...OPERATIONS])('%s', (name, operation) => {
  it.each([...CHANGES])('A22: changes nothing where %s while a hook before it runs', async (_, change) => {
    const { storage, drive, become } = await planted(createMemoryStorage())
    const before = await manifest(storage)
    expect(['not-found', 'forbidden', 'access-changed']).toContain(await failure(operation(drive, { ready: async () => become(change) })))
    expect(await manifest(storage)).toEqual(before)
  })

  it('A23: changes and reads nothing where its folder is moved below a denied path while a hook before it runs', async () => {
    const { storage, drive } = await planted(createLocalStorage(await mkdtemp(join(tmpdir(), 'satchel-moved-'))), {
      rules: [deny('/private')],
    })
    let before = {}
    const ready = async (): Promise<void> => {
      await storage.move(at('/team/x'), at('/private'), { replace: false })
      before = await manifest(storage)
    }
    // What has gone meanwhile is as good as deleted.
    expect(await failure(operation(drive, { ready }))).toBe(name === 'a deletion' ? 'none' : 'not-found')
    expect(await manifest(storage)).toEqual(before)
  })
})

/** The tree, the Drive of somebody, and what changes their access. */
async function planted(storage: Storage, who: Who = {}): Promise<{ storage: Storage; drive: Drive; become: (other: Who) => void }> {
  for (const folder of ['/team', '/team/x', '/team/new', '/mine']) await storage.makeFolder(at(folder))
  for (const [path, content] of Object.entries(TREE)) if (!path.endsWith('/')) await write(storage, at(path), content)
  let now: Access = accessOf(who)
  const drive = openDrive(storage, { ...now, latest: () => now })
  return { storage, drive, become: (other) => void (now = accessOf(other)) }
}
