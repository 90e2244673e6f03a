import { type FilePath, isUtf8Path } from '../../shared/file-path.ts'
import { type Access, inStorage } from '../access/access.ts'
import { openLiveAccess } from '../access/live-access.ts'
import { rightsOf } from '../access/permissions.ts'
import type { FileNow, Storage } from '../storage/storage.ts'

/**
 * As `Storage.readNow`, for somebody, without the Drive that this would be the only call of. Null also where anything about the path or the right has to
 * be looked up or refused: `Drive.open` does that.
 */
export function readNow(storage: Storage, access: Access, path: FilePath): FileNow | null {
  const live = openLiveAccess(access)
  if (!live.isCurrent()) return null
  const { now } = live
  if (!now.rules.empty || !rightsOf(now.may).download || !isUtf8Path(path)) return null
  return storage.readNow?.(inStorage(now, path)) ?? null
}
