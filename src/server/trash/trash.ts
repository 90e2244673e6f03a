import type { UndoOutcome } from '../../shared/contract/trash.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { KeptStorage } from './kept-storage.ts'
import { nodeOf } from './kept-of.ts'
import { listTrash, type TrashQuery } from './listing.ts'
import type { Purge } from './purge.ts'
import { type Visibility, visibilityOf } from './visible.ts'

/** What people deleted, for those who may see it. */
export type Trash = ReturnType<typeof createTrash>

export interface TrashDeps {
  readonly storage: KeptStorage
  readonly journal: Journal
  readonly settings: SettingsReader
  readonly purge: Pick<Purge, 'remove'>
  readonly driveFor: DriveFor
  readonly bus: Pick<Bus, 'announce'>
  readonly log: (line: string) => void
}

export function createTrash({ storage, journal, settings, purge, driveFor, bus, log }: TrashDeps) {
  const oneByOne = createKeyedMutex()

  /** Fails with `not-found` for what is not in the trash, and for what the viewer may not see. */
  async function findVisible(viewer: Viewer, id: string): Promise<{ entry: JournalEntry; path: FilePath; visibility: Visibility }> {
    const visibility = await visibilityOf(driveFor(viewer.access), viewer.userId)
    const entry = await journal.find(id)
    if (entry === null || entry.kind !== 'delete' || entry.state !== 'done') return fail('not-found', {})
    const path = (await visibility.find(entry)) ?? fail('not-found', {})
    return { entry, path, visibility }
  }

  async function undoOne(drive: Drive, entry: JournalEntry, path: FilePath | null): Promise<UndoOutcome> {
    if (entry.state === 'undone') return 'restored'
    if (entry.state === 'purging' || entry.state === 'purged') return 'gone'
    if (path === null || entry.state !== 'done') return 'refused'
    try {
      await drive.restore(nodeOf(entry, path), path, { replace: false, rename: false })
      return 'restored'
    } catch (error) {
      if (isAppError(error, 'access-changed') || isAppError(error, 'sign-in-needed')) throw error
      if (isAppError(error, 'already-exists')) return 'conflict'
      const now = await journal.find(entry.id)
      if (now?.state === 'undone') return 'restored'
      if (now?.state === 'purged' || now?.state === 'purging') return 'gone'
      if (!isAppError(error)) log(`undo ${entry.id}: ${String(error)}`)
      return 'refused'
    }
  }

  return {
    async list(viewer: Viewer, query: TrashQuery, { signal }: { signal: AbortSignal }) {
      const { trashDays } = await settings.read()
      return listTrash({ journal, trashDays }, { drive: driveFor(viewer.access), viewer, query, signal })
    },

    /** Fails with `not-found` for a path that the viewer cannot see. */
    async policy({ access }: Viewer, paths: readonly string[]): Promise<{ days: number; share: number; restorable: boolean }> {
      const { trashDays: days, trashShare: share } = await settings.read()
      const drive = driveFor(access)
      let restorable = days > 0
      for (const path of paths.map(parseFilePath)) {
        const place = await drive.place(path, 'keep')
        restorable &&= path !== ROOT && (await storage.keepingVolume(place)) !== null
      }
      return { days, share, restorable }
    },

    /** @param options.to the viewer's path; where it was by default. @returns the path */
    async restore(
      viewer: Viewer,
      id: string,
      { replace, rename, to }: { replace: boolean; rename: boolean; to?: string | undefined },
    ): Promise<FilePath> {
      const { entry, path } = await findVisible(viewer, id)
      const target = to === undefined ? path : parseFilePath(to)
      return driveOf(driveFor, viewer).restore(nodeOf(entry, path), target, { replace, rename })
    },

    /**
     * Fails with `forbidden` for what somebody else deleted, unless the viewer is an administrator.
     * @param client.address for the activity log
     */
    async remove(viewer: Viewer, id: string, { address }: { address: string | null }): Promise<void> {
      const { entry, path, visibility } = await findVisible(viewer, id)
      if (!visibility.isMine(entry) && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
      await driveFor(viewer.access).expectPurge(nodeOf(entry, path))
      if (!(await purge.remove(entry))) fail('not-found', {})
      const details = detailsOf({}, visibility.isMine(entry) ? {} : { deletedBy: entry.by.name })
      bus.announce('noted', { kind: 'trash-removed', by: { id: viewer.userId, name: viewer.username }, address, subject: path, details })
    },

    /** Restores everything that a gesture of the viewer deleted, the last first; `not-found` if there is no such gesture. */
    undo: (viewer: Viewer, group: string): Promise<{ path: FilePath | null; outcome: UndoOutcome }[]> =>
      oneByOne(group, async () => {
        const deletions = (await journal.ofGroup(group)).filter(
          ({ kind, state, by }) => kind === 'delete' && state !== 'failed' && state !== 'intended' && by.id === viewer.userId,
        )
        if (deletions.length === 0) return fail('not-found', {})
        const visibility = await visibilityOf(driveFor(viewer.access), viewer.userId)
        const drive = driveOf(driveFor, viewer)
        const items: { path: FilePath | null; outcome: UndoOutcome }[] = []
        for (const entry of deletions.toReversed()) {
          const path = visibility.pathOf(entry)
          items.unshift({ path, outcome: await undoOne(drive, entry, path) })
        }
        return items
      }),
  }
}
