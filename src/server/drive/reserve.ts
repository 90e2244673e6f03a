import { nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { DriveContext } from './context.ts'
import type { ReservedFor } from './room.ts'

/** A file that is going to be uploaded. */
export interface AnnouncedFile {
  readonly path: FilePath
  readonly bytes: number
  /** Whether it replaces a file of that name: then only what it is longer needs room. */
  readonly replace: boolean
}

/** Reserves room for all of these files, or fails with `quota-exceeded`. */
export async function reserveFor(context: DriveContext, id: string, files: readonly AnnouncedFile[], purpose: ReservedFor): Promise<void> {
  if (!(await context.room.isLimited())) return
  let [bytes, added] = [0, 0]
  for (const { path, bytes: size, replace } of files) {
    using found = replace ? await nullOn('not-found', context.locate(path, 'follow')) : null
    const old = found?.stat?.kind === 'file' ? found.stat : null
    bytes += Math.max(0, size - (old?.size ?? 0))
    added += old === null ? 1 : 0
  }
  await context.room.reserve(id, { bytes, files: added }, purpose)
}
