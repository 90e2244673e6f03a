import { nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { DriveContext } from './context.ts'
import type { ExpectedFile, ReservedFor } from './room.ts'

/** A file that is going to be uploaded. */
export interface AnnouncedFile {
  readonly path: FilePath
  readonly bytes: number
  /** Whether it replaces a file of that name: then only what it is longer needs room. */
  readonly replace: boolean
}

/** Reserves room for all of these files; fails as `Room.reserve` does. */
export async function reserveFor(context: DriveContext, id: string, files: readonly AnnouncedFile[], purpose: ReservedFor): Promise<void> {
  if (!(await context.room.isLimited())) return
  const expected: ExpectedFile[] = []
  for (const { path, bytes, replace } of files) {
    using found = await nullOn('not-found', context.locate(path, 'follow'))
    const old = replace && found?.stat?.kind === 'file' ? found.stat.size : null
    expected.push({ path: found?.node ?? inStorage(context.access, path), bytes, old })
  }
  await context.room.reserve(id, expected, purpose)
}
