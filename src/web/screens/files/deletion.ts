import type { QueryClient } from '@tanstack/react-query'
import { isAppError } from '../../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/file-path.ts'
import { type DeletionResult, removeEntries } from '../../data/files.ts'
import type { NewNotice } from '../../data/notices.ts'
import { ask } from '../../data/prompts.ts'
import type { Gesture } from '../../data/undo.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { knownEntries } from './known-entries.ts'
import { offerUndo } from './offer-undo.ts'
import type { Content } from './prompts/use-content.ts'
import { runWithNotice } from './run-with-notice.ts'

export interface DeleteOptions {
  /** Opens on top of the current dialog. */
  readonly onTop?: boolean
  /** What the paths contain, if the current listing does not know. */
  readonly content?: Content
  /** Proposes to do without the trash. */
  readonly permanent?: boolean
}

/** @returns whether anything was deleted */
export async function askDelete(queries: QueryClient, paths: readonly FilePath[], options: DeleteOptions = {}): Promise<boolean> {
  const { onTop = false, content = contentOf(queries, paths), permanent = false } = options
  const answer = await ask('delete', { paths, content, permanent }, { onTop })
  return answer !== null && (await removeConfirmed(queries, paths, { ...answer, onTop })).length > 0
}

/** Deletes without asking, unless the disk is too full for the trash: then it proposes to delete for good. @returns the deleted paths */
export async function removeConfirmed(
  queries: QueryClient,
  paths: readonly FilePath[],
  { permanent = false, onTop = false }: { permanent?: boolean; onTop?: boolean } = {},
): Promise<readonly FilePath[]> {
  const work = ({ group }: Gesture) => removeEntries(queries, paths, group, { permanent })
  const { done, failed } = await runWithNotice('delete', paths, work, moreOf)
  const unkept = failed.filter(({ error }) => isAppError(error, 'storage-full')).map(({ path }) => path)
  if (permanent || unkept.length === 0) return done
  const answer = await ask('delete', { paths: unkept, content: null, permanent: true, isFull: true }, { onTop })
  return answer === null ? done : [...done, ...(await removeConfirmed(queries, unkept, { permanent: true }))]
}

/** What went to the trash, with Undo; failures have the word if there are any. */
function moreOf({ done, failed, kept }: DeletionResult, gesture: Gesture): Partial<NewNotice> {
  if (kept.length === 0) return {}
  const actions = offerUndo(gesture, 'create')
  if (failed.length > 0) return { actions }
  const gone = done.length - kept.length
  const text = t('files.delete.done.trash', { count: kept.length, name: displayName(nameOf(kept[0] ?? ROOT)) })
  return { text, actions, ...(gone > 0 && { detail: t('files.delete.done.final', { count: gone }) }) }
}

/** What will be deleted with these paths: known entries, and folders whose content must be counted. Null if they are unknown. */
function contentOf(queries: QueryClient, paths: readonly FilePath[]): Content | null {
  const entries = [...knownEntries(queries, paths)].filter((entry) => entry !== null)
  if (entries.length < paths.length) return null
  // Deleting a link keeps its target.
  const folders = entries.flatMap((entry) => (entry.isDir && !entry.isLink ? [entry.path] : []))
  const bytes = entries.reduce((sum, entry) => sum + (entry.isDir ? 0 : entry.size), 0)
  return { folders, besides: { folders: folders.length, files: paths.length - folders.length, bytes } }
}
