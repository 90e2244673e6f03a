import { type FilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { relocated } from './relocated.ts'
import type { Storage } from './storage.ts'

/** One folder of a storage as if it were the whole: for suites that expect an empty root. */
export function belowFolder(storage: Storage, folder: FilePath): Storage {
  return relocated(storage, { inner: (path) => placeUnder(folder, path), outer: (path) => pathFrom(folder, path) ?? ROOT })
}
