import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'

/** Announces users' operations on the bus, for disks that report no changes. */
export function announceChanges(bus: Bus): Observer {
  const tell = (operation: Operation): void =>
    bus.announce('files.changed', { storagePaths: storagePathsOf(operation).map((path) => inStorage(operation.access, path)) })
  return { after: tell, onError: tell }
}

function storagePathsOf(operation: Operation): readonly FilePath[] {
  if (operation.kind === 'copy') return [operation.to]
  if (operation.kind === 'rename') return [operation.from, operation.to]
  return [operation.path]
}
