import type { Favourite, RecentAction, RecentFile } from '../../shared/contract/favourites.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { MAX_FAVOURITES } from '../../shared/limits.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { WalkedEntry } from '../drive/entry.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import { reachable, isFileOrFolder } from './reachable.ts'
import type { FavouriteStore, RecentVisit } from './store.ts'

/** Favourites and recent files of each user, checked through their Drive every time. */
export type Favourites = ReturnType<typeof createFavourites>

export interface FavouritesDeps {
  readonly store: FavouriteStore
  readonly visitBuffer: VisitBuffer
  readonly driveFor: (access: Access) => Drive
  readonly clock: () => Date
}

export function createFavourites({ store, visitBuffer, driveFor, clock }: FavouritesDeps) {
  async function favouritesOf({ userId, access }: Viewer): Promise<{ storagePath: FilePath; seen: WalkedEntry }[]> {
    const rows = (await store.favourites(userId)).map((storagePath) => ({ storagePath }))
    return (await reachable(driveFor(access), rows)).map(({ row, seen }) => ({ ...row, seen }))
  }

  return {
    async mine(viewer: Viewer): Promise<{ favourites: Favourite[]; keepsRecent: boolean }> {
      const favourites = await favouritesOf(viewer)
      return { favourites: favourites.map(({ seen }) => toFavourite(seen)), keepsRecent: await store.keepsRecent(viewer.userId) }
    },

    /** Fails with `not-found`, with `invalid-input` for the root and for names that are not UTF-8, and with `too-many-favourites`. */
    async star(viewer: Viewer, path: FilePath): Promise<void> {
      const storagePath = await storagePathOf(driveFor(viewer.access), path)
      if (await store.star(viewer.userId, storagePath)) return
      // Invisible favourites take up room that the user could not free by hand.
      const shown = new Set((await favouritesOf(viewer)).map((one) => one.storagePath))
      const lost = (await store.favourites(viewer.userId)).filter((one) => !shown.has(one))
      await store.unstar(viewer.userId, lost)
      if (!(await store.star(viewer.userId, storagePath))) fail('too-many-favourites', { limit: MAX_FAVOURITES })
    },

    /** Fails with `not-found` if it does not exist: it is not shown anyway. */
    async unstar({ userId, access }: Viewer, path: FilePath): Promise<void> {
      await store.unstar(userId, [await driveFor(access).place(path, 'keep')])
    },

    /** Paths that are not visible favourites are ignored. */
    async arrange(viewer: Viewer, paths: readonly string[]): Promise<void> {
      const wanted = paths.map(parseFilePath)
      const places = new Map((await favouritesOf(viewer)).map(({ storagePath, seen }) => [seen.path, storagePath]))
      await store.arrange(
        viewer.userId,
        [...new Set(wanted)].flatMap((path) => places.get(path) ?? []),
      )
    },

    async recent({ userId, access }: Viewer): Promise<RecentFile[]> {
      await visitBuffer.settled()
      const files = await reachable(driveFor(access), await store.recents(userId))
      return files.flatMap(({ row: { at, how }, seen }) => (seen.stat.kind === 'file' ? [{ ...toFavourite(seen), at, how }] : []))
    },

    /** Paths that are not visible files are ignored. */
    async visit({ userId, access }: Viewer, files: readonly { path: string; how: RecentAction; at?: number | undefined }[]): Promise<void> {
      const wanted = files.map((file) => ({ ...file, path: parseFilePath(file.path) }))
      const drive = driveFor(access)
      const now = clock().getTime()
      const visits: RecentVisit[] = []
      // The last is the latest, even if the clock has the same time for several.
      for (const [index, { path, how, at = now }] of wanted.entries()) {
        const storagePath = await fileAt(drive, path)
        if (storagePath !== null)
          visits.push({ storagePath, how, at: Math.min(Math.max(0, Math.trunc(at)), now - wanted.length + 1 + index) })
      }
      visitBuffer.add(userId, visits)
    },

    /** With `false`, recent files are no longer remembered, and existing ones are removed. */
    async keep({ userId }: Viewer, keep: boolean): Promise<void> {
      if (!keep) visitBuffer.drop(userId)
      await visitBuffer.settled()
      await store.setKeepsRecent(userId, keep)
    },

    /** Removes one from the list. Fails with `not-found` if it does not exist: it is not shown anyway. */
    async leave({ userId, access }: Viewer, path: FilePath): Promise<void> {
      const storagePath = await driveFor(access).place(path, 'keep')
      await visitBuffer.settled()
      await store.leave(userId, storagePath)
    },

    async forget({ userId }: Viewer): Promise<void> {
      visitBuffer.drop(userId)
      await visitBuffer.settled()
      await store.forget(userId)
    },
  }
}

async function storagePathOf(drive: Drive, path: FilePath): Promise<FilePath> {
  // A name that is not UTF-8 would be stored as another one.
  if (path === ROOT || !path.isWellFormed()) fail('invalid-input', { issues: ['path: cannot be a favourite'] })
  return isFileOrFolder(await drive.stat(path)) ? drive.place(path, 'keep') : fail('not-found', { path })
}

/** Null if there is no file that this user may see, or its name cannot be stored. */
async function fileAt(drive: Drive, path: FilePath): Promise<FilePath | null> {
  if (path === ROOT || !path.isWellFormed()) return null
  const seen = await nullOn('not-found', drive.stat(path))
  const isFile = seen !== null && isFileOrFolder(seen) && seen.stat.kind === 'file'
  return isFile ? await nullOn('not-found', drive.place(path, 'keep')) : null
}

function toFavourite({ path, stat, target }: WalkedEntry): Favourite {
  return { path, isDir: stat.kind === 'folder', isSymlink: target !== null, size: stat.size, modified: stat.modified }
}
