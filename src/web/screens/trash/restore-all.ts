import type { QueryClient } from '@tanstack/react-query'
import { isAppError } from '../../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { readFolder } from '../../data/folders.ts'
import { entryOf, indexOfName, type Listing } from '../../data/listing.ts'
import { type NewNotice, type NoticeAction, notify } from '../../data/notices.ts'
import { ask } from '../../data/prompts.ts'
import { runEach } from '../../data/run-each.ts'
import { useSession } from '../../data/session.ts'
import { restoreTrashed, type Trashed } from '../../data/trash.ts'
import { type Gesture, undoGesture, withGesture } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import type { ConflictAnswer, Version } from '../../widgets/conflict-resolution.ts'
import { displayName } from '../../widgets/display-name.ts'
import type { TakenName } from './taken-name.ts'

export interface RestoreOptions {
  /** Instead of where they were. */
  readonly folder?: FilePath
  /** Shows a restored entry; offered in the notice. */
  readonly onShow: (path: FilePath) => void
}

interface Failure {
  readonly item: Trashed
  readonly error: unknown
}

/** Restores what can be restored, then asks about the names that are taken. One gesture. */
export async function restoreAll(queries: QueryClient, entries: readonly Trashed[], options: RestoreOptions): Promise<void> {
  await withGesture(
    (gesture) => restoreAs(gesture, queries, entries, options),
    (restored) => restored > 0,
  )
}

/** @returns how many were restored */
async function restoreAs(
  gesture: Gesture,
  queries: QueryClient,
  entries: readonly Trashed[],
  { folder, onShow }: RestoreOptions,
): Promise<number> {
  const restored: FilePath[] = []
  const target = (entry: Trashed) => (folder === undefined ? entry.path : joinPath(folder, entry.name))
  const elsewhere = (entry: Trashed) => (folder === undefined ? {} : { to: target(entry) })
  const first = await runEach(entries, async (entry) =>
    restored.push(await restoreTrashed(queries, entry, elsewhere(entry), gesture.group)),
  )
  const taken = first.failed.filter(({ error }) => isAppError(error, 'already-exists')).map(({ item }) => item)
  const failed: Failure[] = first.failed.filter(({ item }) => !taken.includes(item))
  if (taken.length > 0) {
    const answers = await ask('trash-conflict', { conflicts: await takenNames(queries, taken, target) })
    const again = taken.filter(({ id }) => (answers?.get(id) ?? 'skip') !== 'skip')
    const second = await runEach(again, async (entry) =>
      restored.push(await restoreTrashed(queries, entry, { ...elsewhere(entry), ...optionsOf(answers?.get(entry.id)) }, gesture.group)),
    )
    failed.push(...second.failed)
  }
  const notice = noticeOf(restored, failed, { onShow, gesture })
  if (notice !== null) notify(notice)
  return restored.length
}

function optionsOf(answer: ConflictAnswer | undefined): { replace?: boolean; rename?: boolean } {
  return answer === 'replace' ? { replace: true } : { rename: true }
}

/** What has the names now. */
async function takenNames(queries: QueryClient, taken: readonly Trashed[], target: (entry: Trashed) => FilePath): Promise<TakenName[]> {
  const folders = new Map<FilePath, Listing | null>()
  for (const entry of taken) {
    const folder = parentOf(target(entry))
    if (!folders.has(folder)) folders.set(folder, await readFolder(queries, folder).catch(() => null))
  }
  return taken.map((entry) => {
    const path = target(entry)
    return { entry, existing: versionIn(folders.get(parentOf(path)) ?? null, path, entry) }
  })
}

/** A folder that cannot be read: something of the same kind. */
function versionIn(folder: Listing | null, path: FilePath, { isDir }: Trashed): Version {
  const index = folder && indexOfName(folder, nameOf(path))
  if (folder === null || index === null) return { isFolder: isDir, size: 0, modified: Number.NaN, picture: null }
  const entry = entryOf(folder, index)
  return { isFolder: entry.isDir, size: entry.size, modified: entry.modified, picture: null }
}

/** Null if nothing happened: everything was skipped. */
function noticeOf(
  restored: readonly FilePath[],
  failed: readonly Failure[],
  { onShow, gesture }: { onShow: (path: FilePath) => void; gesture: Gesture },
): NewNotice | null {
  const [path] = restored
  const text = path && t('files.undo.restored', { count: restored.length, name: displayName(nameOf(path)) })
  const actions = path && [{ label: t('action.show'), run: () => onShow(path) }, ...offerUndo(gesture)]
  const [first] = failed
  if (first === undefined) return text === undefined ? null : { tone: 'success', text, actions }
  const failure = t('files.undo.failed', { count: failed.length, name: displayName(first.item.name) })
  return { tone: 'error', text: failure, detail: errorText(first.error), output: errorOutput(first.error), actions }
}

/** Needs the right to delete, which the server checks in any case. */
function offerUndo(gesture: Gesture): NoticeAction[] {
  const perm = useSession.getState().user?.perm
  return perm?.admin || perm?.delete ? [{ label: t('action.undo'), run: () => undoGesture(gesture) }] : []
}
