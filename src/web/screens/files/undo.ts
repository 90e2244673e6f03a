import type { QueryClient } from '@tanstack/react-query'
import { nameOf, ROOT } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import type { OperationResult } from '../../data/files.ts'
import { changeNotice, closeNotice, type NewNotice, type NoticeAction, notify } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { type Gesture, takeLatest, type Undoable, undoInOrder } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { may } from './action-rules.ts'
import { noticeOf } from './run-with-notice.ts'

/** Says how Ctrl+Z takes a gesture back, once. @returns the button of its notice */
export function offerUndo(queries: QueryClient, gesture: Gesture, takeBack: (() => Promise<void>) | null): NoticeAction[] {
  return takeBack === null ? [] : offer(queries, gesture, { run: takeBack })
}

/** The same for a gesture of deletions, which needs the right to create. */
export function offerRestore(queries: QueryClient, gesture: Gesture, group: string): NoticeAction[] {
  const user = useSession.getState().user
  return user === null || !may(user.perm, 'create') ? [] : offer(queries, gesture, { group })
}

/** Takes back the gesture that started last; waits for its end while it runs. If it fails, nothing is taken back. */
export function undoLatest(queries: QueryClient): void {
  const gesture = takeLatest()
  if (gesture !== null) undo(queries, gesture)
}

function offer(queries: QueryClient, gesture: Gesture, undoable: Undoable): NoticeAction[] {
  gesture.offer(undoable)
  const run = () => {
    if (gesture.take()) undo(queries, gesture)
  }
  return [{ label: t('action.undo'), run }]
}

function undo(queries: QueryClient, gesture: Gesture): void {
  const waiting = gesture.running ? notify({ tone: 'working', text: t('files.undo.working') }) : null
  void undoInOrder(gesture, async (undoable) => {
    if (waiting !== null) closeNotice(waiting)
    if (undoable === null) return
    await ('run' in undoable ? undoable.run() : restore(queries, undoable.group))
  })
}

async function restore(queries: QueryClient, group: string): Promise<void> {
  const notice = notify({ tone: 'working', text: t('files.undo.working') })
  changeNotice(notice, await restored(queries, group))
}

async function restored(queries: QueryClient, group: string): Promise<NewNotice> {
  try {
    const { undoDeletion } = await inTime(import('../../data/undo-deletion.ts'))
    return restoredNotice(await undoDeletion(queries, group))
  } catch (error) {
    return { tone: 'error', text: errorText(error), output: errorOutput(error) }
  }
}

function restoredNotice(result: OperationResult): NewNotice {
  const { done, failed } = result
  const [first = ROOT] = done
  const text = t('files.undo.restored', { count: done.length, name: displayName(nameOf(first)) })
  if (failed.length === 0) return { tone: 'success', text }
  const notice = noticeOf('undo', result)
  return done.length === 0 ? notice : { ...notice, detail: `${notice.detail ?? ''} ${text}.` }
}
