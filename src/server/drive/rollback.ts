import type { Stat } from '../storage/storage.ts'
import { periodicYield } from './checkpoint.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import type { RecordedChange } from './recorder.ts'

/** A node that an operation created where there was none. */
export interface Created {
  readonly place: ResolvedPath
  readonly stat: Stat
  /** What it was copied from; null for a missing parent folder. */
  readonly source: ResolvedPath | null
  /** In the journal. */
  readonly row?: RecordedChange
}

/**
 * Removes what a failed operation created, newest first, if it is unchanged and its source still exists. What cannot be removed stays: the error
 * of the operation is the one to report.
 */
export async function rollBack(context: DriveContext, created: readonly Created[]): Promise<void> {
  const pause = periodicYield()
  for (const one of created.toReversed()) {
    await pause()
    await removeCreated(context, one).catch(() => undefined)
  }
}

async function removeCreated({ storage }: DriveContext, { place, stat, source, row }: Created): Promise<void> {
  const now = await storage.stat(place.node)
  if (now?.identity !== stat.identity) return
  // A folder's time changes with its content; a folder that is not empty is not removed.
  if (stat.kind === 'file' && (now.size !== stat.size || now.modified !== stat.modified)) return
  // If the source is gone, this is the only copy.
  if (source !== null && (await storage.stat(source.node))?.kind !== stat.kind) return
  await storage.remove(place.node)
  row?.failed()
}
