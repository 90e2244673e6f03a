import { archiveBase } from '../../shared/archive-format.ts'
import type { ArchiveListing } from '../../shared/contract/unpack.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { MOST_LISTED } from './limits.ts'
import { createPlan } from './plan.ts'
import type { ReadOptions, Unpacker } from './unpacker.ts'

/** The entries of an archive that can be extracted, and those that cannot. */
export async function listArchive(
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
