import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { CommitOptions, MoveOptions, StagedFile, Stat } from '../storage/storage.ts'
import type { DriveContext } from './context.ts'

/** How often a name may be taken by others while we look whether it is free. */
const MOST_TRIES = 5

/** Runs something that may replace the file at a storage path, so that what it replaces becomes a version, also if it appears at the last moment. */
export async function replacing<T>(
  { storage, versions }: DriveContext,
  node: FilePath,
  replace: (options: MoveOptions) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    if ((await storage.stat(node)) !== null) return versions.replacing(node, (keep) => replace({ replace: true, ...(keep && { keep }) }))
    try {
      return await replace({ replace: false })
    } catch (error) {
      if (!isAppError(error, 'already-exists') || tries === MOST_TRIES) throw error
    }
  }
}

/** Publishes a staged file; what it replaces becomes a version. */
export async function publishAt(
  context: DriveContext,
  node: FilePath,
  staged: StagedFile,
  { replace, ...options }: Omit<CommitOptions, 'keep'>,
): Promise<Stat> {
  if (!replace) return staged.commit(node, { ...options, replace })
  return replacing(context, node, (how) => staged.commit(node, { ...options, ...how }))
}
