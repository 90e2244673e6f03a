import type { QueryClient } from '@tanstack/react-query'
import { isAppError } from '../../../shared/errors.ts'
import { changeNotice, closeNotice, type NewNotice, notify } from '../../data/notices.ts'
import { latestQuery, revert } from '../../data/operations.ts'
import { isLater } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { gestureText } from '../../widgets/gesture-text.ts'
import { type Call, noticeOf } from './outcome.ts'

/** Takes back what was done last, or does again what was taken back last. @param moment of the wish: what was done since then is not meant */
export async function revertLatest(queries: QueryClient, call: Call, moment: number): Promise<void> {
  await tell(call, async () => {
    const gesture = (await queries.fetchQuery(latestQuery))[call]
    if (gesture === null) return nothing(call)
    if (isLater(gesture.group, moment)) return null
    return noticeOf(call, await revert(queries, call, gesture.group), gestureText(gesture))
  })
  void queries.prefetchQuery(latestQuery)
}

/** The same for one gesture. */
export async function revertAndTell(queries: QueryClient, call: Call, group: string): Promise<void> {
  await tell(call, async () => noticeOf(call, await revert(queries, call, group), null))
  void queries.prefetchQuery(latestQuery)
}

async function tell(call: Call, work: () => Promise<NewNotice | null>): Promise<void> {
  const notice = notify({ tone: 'working', text: t(call === 'undo' ? 'files.undo.working' : 'redo.working') })
  const result = await work().catch((error: unknown): NewNotice => {
    // Nothing was changed, or it was so long ago that nothing is known of it.
    if (isAppError(error, 'not-found')) return nothing(call)
    return { tone: 'error', text: errorText(error), output: errorOutput(error) }
  })
  if (result === null) closeNotice(notice)
  else changeNotice(notice, result)
}

function nothing(call: Call): NewNotice {
  return { tone: 'info', text: t(call === 'undo' ? 'undo.nothing' : 'redo.nothing') }
}
