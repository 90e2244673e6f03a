import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '../../../../shared/contract/jobs.ts'
import { refreshGestures } from '../../../data/gestures.ts'
import { failureOf } from '../../../data/jobs.ts'
import { changeNotice, closeNotice, type NewNotice, notify } from '../../../data/notices.ts'
import { TRASH_KEY } from '../../../data/query.ts'
import { type RewindTarget, startRewind } from '../../../data/rewind.ts'
import { formatNumber } from '../../../i18n/format.ts'
import { errorOutput, errorText, t } from '../../../i18n/i18n.tsx'
import { shownName } from './gesture-words.ts'
import { undoPastGesture } from './undo-gesture.ts'

/** Rewinds a folder in a job, whose progress is in the panel of tasks; the notice of its result offers Undo. */
export async function rewindWithNotice(queries: QueryClient, target: RewindTarget): Promise<void> {
  const name = shownName(target.path)
  const notice = notify({ tone: 'working', text: t('rewind.working', { name }) })
  try {
    const { group, ended } = await startRewind(queries, target)
    const job = await ended
    void queries.invalidateQueries({ queryKey: TRASH_KEY })
    void refreshGestures(queries)
    if (job === null || job.state === 'cancelled') return closeNotice(notice)
    const actions = job.items > 0 ? [{ label: t('action.undo'), run: () => undoPastGesture(group) }] : []
    changeNotice(notice, { ...resultOf(job, name), actions })
  } catch (error) {
    changeNotice(notice, { tone: 'error', text: t('rewind.failed', { name }), detail: errorText(error), output: errorOutput(error) })
  }
}

function resultOf({ state, items, failed, error }: Job, name: string): NewNotice {
  if (state === 'done') return { tone: 'success', text: t('rewind.done', { name }) }
  if (state === 'interrupted') return { tone: 'error', text: t('rewind.failed', { name }), detail: t('job.interrupted') }
  if (failed.count > 0)
    return {
      tone: 'error',
      text: items > 0 ? t('rewind.partly', { name }) : t('rewind.failed', { name }),
      detail: `${t('rewind.problems')}: ${formatNumber(failed.count)}`,
    }
  const failure = error && failureOf(error)
  return { tone: 'error', text: t('rewind.failed', { name }), detail: errorText(failure), output: errorOutput(failure) }
}
