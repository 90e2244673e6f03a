import { type FilePath, isUtf8Path } from '../../shared/file-path.ts'
import { type Access, inStorage } from '../access/access.ts'
import { openLiveAccess } from '../access/live-access.ts'
import { rightsOf } from '../access/permissions.ts'
import type { FileNow, Storage } from '../storage/storage.ts'

export type { FileNow }

/**
 * Like `Storage.readNow`, within an Access and without making a Drive for one call. Also null if the path or a permission needs a lookup or must be
 * refused: `Drive.open` does that.
 */
export function readNow(storage: Storage, access: Access, path: FilePath): FileNow | null {
  const live = openLiveAccess(access)
  if (!live.isCurrent()) return null
  const { now } = live
  if (!now.rules.empty || !now.rules.grants.isUniform || !rightsOf(now.may).download || !isUtf8Path(path)) return null
  return storage.readNow?.(inStorage(now, path)) ?? null
}
