import { unpack } from '../../shared/contract/unpack.ts'
import type { Access } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { ArchiveLimits } from '../archives/respond.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { respondEntry } from './entry-response.ts'
import { listArchive } from './list.ts'
import type { Unpacker } from './unpacker.ts'

export interface UnpackDeps {
  readonly driveFor: (access: Access) => Drive
  readonly unpacker: Unpacker
  /** Shared with archive downloads: both cost about the same. */
  readonly limits: ArchiveLimits
}

/** Lists archives, and serves single files of them. */
export function mountUnpack(app: Router, { driveFor, unpacker, limits }: UnpackDeps): void {
  mount(app, unpack.list, async ({ params: { path }, viewer, request }) => {
    const drive = driveFor(viewer.access)
    await drive.stat(path)
    const clientKey = clientKeyOf(viewer)
    const release = limits.compressed.acquireNow(clientKey)
    try {
      return await listArchive(unpacker, drive, path, { clientKey, signal: request.signal })
    } finally {
      release()
    }
  })

  mount(app, unpack.entry, async ({ params: { path }, query: { index, inside }, viewer, request }) => {
    const drive = driveFor(viewer.access)
    await drive.stat(path)
    const clientKey = clientKeyOf(viewer)
    const release = limits.compressed.acquireNow(clientKey)
    return respondEntry(unpacker, drive, { path, index, inside, clientKey, signal: request.signal, release })
  })
}
