import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Deed, Observer } from '../drive/announce.ts'

/** Announces users' operations on the bus, for disks that report no changes. */
export function announceChanges(bus: Bus): Observer {
  const tell = (operation: Deed): void =>
    bus.announce('files.changed', { storagePaths: storagePathsOf(operation).map((path) => inStorage(operation.access, path)) })
  return { after: tell, broken: tell }
}

function storagePathsOf(operation: Deed): readonly FilePath[] {
  if (operation.kind === 'copy') return [operation.to]
  if (operation.kind === 'rename') return [operation.from, operation.to]
  return [operation.path]
}
