import { unpack, type ArchiveListing } from '../../shared/contract/unpack.ts'
import type { Access } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { ArchiveLimits } from '../archives/respond.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { respondEntry } from './entry-response.ts'
import { type Unpacker, type ReadOptions, MOST_LISTED } from './unpacker.ts'
import { archiveBase } from '../../shared/archive-format.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { createPlan } from './names.ts'

export interface UnpackDeps {
  readonly driveFor: (access: Access) => Drive
  readonly unpacker: Unpacker
  /** Shared with archive downloads: both cost about the same. */
  readonly limits: ArchiveLimits
}

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

/** The entries of an archive that can be extracted, and those that cannot. */
async function listArchive(
  unpacker: Unpacker,
  drive: Drive,
  path: FilePath,
  options: Pick<ReadOptions, 'clientKey' | 'signal'>,
): Promise<ArchiveListing> {
  await using file = await drive.open(path)
  const plan = createPlan({ base: archiveBase(nameOf(path)) })
  const entries: ArchiveListing['entries'] = []
  const leftOut: ArchiveListing['leftOut'] = []
  let count = 0
  for await (const { index, head } of unpacker.entries(file, { what: 'list' }, options)) {
    const placed = plan(head)
    if (placed === null) continue
    if (++count > MOST_LISTED) continue
    if ('left' in placed) leftOut.push({ name: head.name, reason: placed.left })
    else entries.push({ index, path: placed.path, isDir: placed.kind === 'folder', size: head.size, modified: head.modified })
  }
  return { entries, leftOut, count }
}
