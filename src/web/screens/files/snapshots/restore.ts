import type { QueryClient } from '@tanstack/react-query'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { failureOf } from '../../../data/jobs.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { entryNow, type PastEntry, restorePast } from '../../../data/snapshots.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'

/** Restores an entry to where it was, after a question if its name is taken, and says how that went. */
export async function restoreEntry(queries: QueryClient, entry: PastEntry, { id, path }: { id: string; path: FilePath }): Promise<void> {
  const answer = await answerFor(queries, entry, path)
  if (answer === null || answer === 'skip') return
  const job = await restorePast(queries, { id, path }, { replace: answer === 'replace', rename: answer === 'keep-both' })
  if (job === null || job.state === 'cancelled') return
  const name = displayName(entry.name)
  if (job.state === 'done') notify({ tone: 'success', text: t('snapshots.restored', { name }) })
  else if (job.state === 'interrupted') notify({ tone: 'error', text: t('snapshots.failed', { name }), detail: t('job.interrupted') })
  else notify({ tone: 'error', text: t('snapshots.failed', { name }), detail: errorText(job.error && failureOf(job.error)) })
}

/** Null if the question was dismissed. */
async function answerFor(queries: QueryClient, entry: PastEntry, path: FilePath) {
  const { name, size, isDir } = entry
  const existing = await entryNow(queries, parentOf(path), nameOf(path))
  if (existing === null) return 'new'
  const conflict = {
    key: path,
    name,
    existing: { isFolder: existing.isDir, size: existing.size, modified: existing.modified, picture: null },
    incoming: { isFolder: isDir, size, modified: Date.parse(entry.modified), picture: null },
  }
  return ask('snapshot-conflict', { conflict }, { onTop: true })
}
