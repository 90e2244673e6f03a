import { isAppError, nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { EVERYTHING } from '../access/everything.ts'
import type { Drive } from '../drive/drive.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { exists } from '../drive/exists.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { nodeOf } from '../trash/kept-of.ts'
import type { Overwrite, Overwrites } from './overwrites.ts'

export interface OverwriteRecoveryDeps {
  readonly overwrites: Overwrites
  readonly journal: Pick<Journal, 'ofGroup'>
  readonly systemDrive: Drive
  readonly driveFor: DriveFor
  readonly log: (line: string) => void
}

/**
 * Undoes each MOVE or COPY over a node within which its server died, unless everything had been moved: what came back goes to where it was, and what was
 * overwritten returns from the trash. Called when the journal and the trash know what has happened.
 * @param before of servers that have not said since then that they are at work; milliseconds since 1970
 */
export async function undoOverwrites(deps: OverwriteRecoveryDeps, { before }: { before: number }): Promise<void> {
  const { overwrites, log } = deps
  for (const overwrite of await overwrites.left(before)) {
    try {
      await undo(deps, overwrite)
      await overwrites.remove(overwrite.gesture)
    } catch (error) {
      // A lock, a quota or a disk may be in the way now, and not the next time.
      if (!isAppError(error)) throw error
      log(`WebDAV: what gesture ${overwrite.gesture} has overwritten is in the trash and is restored later: ${error.code}`)
    }
  }
}

async function undo({ journal, systemDrive, driveFor, log }: OverwriteRecoveryDeps, overwrite: Overwrite): Promise<void> {
  const { gesture, kind, origin, by } = overwrite
  const entries = await journal.ofGroup(gesture)
  const trashed = entries.find((entry) => entry.kind === 'delete')
  // Nothing had gone yet, or somebody has restored it.
  if (trashed?.state !== 'done') return
  const place = trashed.path
  const drive = driveFor(EVERYTHING, { ...by, via: 'dav', group: gesture })
  if (await exists(systemDrive, place)) {
    if (kind === 'move' && !(await exists(systemDrive, origin))) return
    if (!(await isMadeBy(entries, { systemDrive, place })))
      return log(`WebDAV: what was at ${place} stays in the trash, because something else is there now`)
    if (kind === 'move') await drive.move(place, origin, { replace: true, rename: false })
    else await drive.remove(place, { onlyKept: true })
  }
  await drive.restore(nodeOf(trashed, place), place, { replace: false, rename: false })
}

/** Whether what is at a place came there by this gesture. */
async function isMadeBy(
  entries: readonly JournalEntry[],
  { systemDrive, place }: { systemDrive: Drive; place: FilePath },
): Promise<boolean> {
  const entry = await nullOn('not-found', systemDrive.stat(place))
  return entries.some(({ kind, path, identity }) => kind !== 'delete' && path === place && identity === entry?.stat.identity)
}
