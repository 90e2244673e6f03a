import type { Stat } from '../storage/storage.ts'
import { inTurns } from './pause.ts'
import type { DriveContext, ResolvedPath } from './context.ts'

/** Something that a deed made where nothing was before. */
export interface Made {
  readonly place: ResolvedPath
  readonly stat: Stat
  /** What it is a copy of; null for a folder that was only needed on the way. */
  readonly source: ResolvedPath | null
}

/**
 * Takes back what a failed deed made, the newest first: what is still as it was made, and what a source is left of. What cannot be taken back
 * stays; the failure that counts has happened.
 */
export async function takeBack(context: DriveContext, made: readonly Made[]): Promise<void> {
  const turn = inTurns()
  for (const one of made.toReversed()) {
    await turn()
    await takeOneBack(context, one).catch(() => undefined)
  }
}

async function takeOneBack({ storage }: DriveContext, { place, stat, source }: Made): Promise<void> {
  const now = await storage.stat(place.node)
  if (now?.identity !== stat.identity) return
  // A folder's time changes with its content; one that is not empty is not removed.
  if (stat.kind === 'file' && (now.size !== stat.size || now.modified !== stat.modified)) return
  // Gone already, by us or by others: then this is the only one left.
  if (source !== null && (await storage.stat(source.node))?.kind !== stat.kind) return
  await storage.remove(place.node)
}
