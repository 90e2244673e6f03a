import { symlink } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { describeStorage } from './storage.suite.ts'

/** The promises of a storage also hold if threads make the calls. */
describeStorage('R5: a disk that threads ask', async () => {
  const root = mkdtempSync(join(tmpdir(), 'storage-'))
  return {
    storage: createLocalStorage(root, { mounts: () => [{ id: '1', path: ROOT, isLocal: false }] }),
    plantLink: (path, target) => symlink(target.startsWith('/') ? root + target : target, root + path),
    dispose: async () => rmSync(root, { recursive: true }),
  }
})
