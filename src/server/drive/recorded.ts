import { isAppError } from '../../shared/errors.ts'
import type { Stat } from '../storage/storage.ts'
import type { DriveContext } from './context.ts'
import type { BeginChange, Change, RecordedChange } from './recorder.ts'

/** Makes a change and records it. After a failure the disk tells whether it has happened. */
export async function recorded(
  context: Pick<DriveContext, 'recorder' | 'storage'>,
  change: Change,
  run: () => Promise<Stat>,
  { begin = context.recorder.begin }: { begin?: BeginChange } = {},
): Promise<Stat> {
  const row = await begin(change)
  try {
    const stat = await run()
    row.done(stat)
    return stat
  } catch (error) {
    await settleFailed(context, change, { row, error })
    throw error
  }
}

/** After a failure: the node may be there nevertheless. */
export async function settleFailed(
  { storage }: Pick<DriveContext, 'storage'>,
  { path, node, folder }: Change,
  { row, error }: { row: RecordedChange; error: unknown },
): Promise<void> {
  if (isAppError(error, 'already-exists') || isAppError(error, 'not-found')) return row.failed()
  const stat = await storage.stat(path).catch(() => undefined)
  // Recovery asks again.
  if (stat === undefined) return
  const isThere = stat !== null && (node === null ? (stat.kind === 'folder') === folder : stat.identity === node.identity)
  if (isThere) row.done(stat)
  else row.failed()
}
