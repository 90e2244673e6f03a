import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { CommitOptions, MoveOptions, StagedFile, Stat } from '../storage/storage.ts'
import type { DriveContext } from './context.ts'
import { recorded } from './recorded.ts'
import type { BeginChange, Change } from './recorder.ts'

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

interface PublishOptions extends Omit<CommitOptions, 'keep'> {
  /** What it is if nothing is replaced. */
  readonly as?: Pick<Change, 'kind' | 'origin' | 'restored'>
  readonly begin?: BeginChange | undefined
}

/** Publishes a staged file; what it replaces becomes a version. */
export async function publishAt(
  context: DriveContext,
  node: FilePath,
  staged: StagedFile,
  { replace, as = { kind: 'create' }, begin, ...options }: PublishOptions,
): Promise<Stat> {
  const commit = (how: MoveOptions) => commitAt(context, node, staged, { how, options, as, ...(begin && { begin }) })
  return replace ? replacing(context, node, commit) : commit({ replace })
}

/** The same without looking whether something is replaced. */
export async function commitAt(
  context: DriveContext,
  node: FilePath,
  staged: StagedFile,
  { how, options = {}, as = { kind: 'replace' }, begin }: CommitAtOptions,
): Promise<Stat> {
  // Where there was nothing, what is there afterwards is the file. Asking before would cost every small file a call.
  const identity = how.replace ? await staged.identity() : null
  const change: Change = {
    ...as,
    ...(how.replace && { kind: 'replace' }),
    path: node,
    node: identity === null ? null : { identity },
    folder: false,
    version: how.keep?.id,
  }
  return recorded(context, change, () => staged.commit(node, { ...options, ...how }), begin === undefined ? {} : { begin })
}

interface CommitAtOptions extends Pick<PublishOptions, 'as' | 'begin'> {
  readonly how: MoveOptions
  readonly options?: Omit<CommitOptions, 'keep' | 'replace'>
}
