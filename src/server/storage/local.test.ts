import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalStorage } from './local.ts'
import type { Sample } from './samples.ts'
import { describeStorage } from './storage.suite.ts'

describeStorage('local', async (): Promise<Sample> => {
  const root = await mkdtemp(join(tmpdir(), 'storage-'))
  return {
    storage: createLocalStorage(root),
    plantLink: (path, target) => symlink(target.startsWith('/') ? root + target : target, root + path),
    dispose: () => rm(root, { recursive: true }),
  }
})
