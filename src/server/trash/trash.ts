import { fail } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
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
}

export function createTrash({ storage, journal, settings, purge, driveFor, bus }: TrashDeps) {
  /** Fails with `not-found` for what is not in the trash, and for what the viewer may not see. */
  async function findVisible(viewer: Viewer, id: string): Promise<{ entry: JournalEntry; path: FilePath; visibility: Visibility }> {
    const visibility = await visibilityOf(driveFor(viewer.access), viewer.userId)
    const entry = await journal.find(id)
    if (entry === null || entry.kind !== 'delete' || entry.state !== 'done') return fail('not-found', {})
    const path = (await visibility.find(entry)) ?? fail('not-found', {})
    return { entry, path, visibility }
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
      bus.announce('noted', { kind: 'trash-removed', by: performerOf(viewer), address, subject: path, details })
    },
  }
}
