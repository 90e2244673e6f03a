import { fail } from '../../shared/errors.ts'
import type { StagedFile, Storage } from './storage.ts'

/** A storage in which nothing can be changed: each call that would change something fails with `read-only`. */
export function readOnly(storage: Storage): Storage {
  const refuse = async (): Promise<never> => fail('read-only', {})
  return {
    ...storage,
    makeFolder: refuse,
    move: refuse,
    remove: refuse,
    keep: refuse,
    restoreKept: refuse,
    resetKept: refuse,
    dropKept: refuse,
    keepingVolume: async () => null,
    folderMark: (where) => storage.folderMark(where, { make: false }),
    stage(id): StagedFile {
      return {
        id,
        size: async () => 0,
        settle: async () => null,
        append: refuse,
        copyFrom: refuse,
        commit: refuse,
        discard: async () => undefined,
        adopt: async () => 'nothing',
        changed: async () => null,
        identity: async () => null,
      }
    },
    staged: async () => [],
    keptNodes: async () => [],
  }
}
