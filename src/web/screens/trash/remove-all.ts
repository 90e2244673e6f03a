import type { QueryClient } from '@tanstack/react-query'
import { changeNotice, notify } from '../../data/notices.ts'
import { ask } from '../../data/prompts.ts'
import { runEach } from '../../data/run-each.ts'
import { removeTrashed, type Trashed } from '../../data/trash.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

/** Asks, then deletes for good. */
export async function removeAll(queries: QueryClient, entries: readonly Trashed[]): Promise<void> {
  const about = { count: entries.length, name: displayName(entries[0]?.name ?? '') }
  const title = t(entries.length === 1 ? 'files.delete.title.one' : 'files.delete.title', about)
  const confirmLabel = t('files.action.delete-permanently')
  if ((await ask('confirm', { title, text: t('files.delete.text'), confirmLabel, danger: true })) === null) return
  const notice = notify({ tone: 'working', text: t('files.delete.working', about) })
  const { done, failed } = await runEach(entries, (entry) => removeTrashed(queries, entry))
  const [first] = failed
  if (first === undefined) return changeNotice(notice, { tone: 'success', text: t('files.delete.done', { count: done.length }) })
  const text = t('files.delete.failed', { count: failed.length, name: displayName(first.item.name) })
  changeNotice(notice, { tone: 'error', text, detail: errorText(first.error), output: errorOutput(first.error) })
}
