import type { QueryClient } from '@tanstack/react-query'
import { nameOf, ROOT } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import type { OperationResult } from '../../data/files.ts'
import { changeNotice, type NewNotice, type NoticeAction, notify } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { forgetUndo, rememberUndo, takeUndo, type Undoable } from '../../data/undo.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { may } from './action-rules.ts'
import { noticeOf } from './run-with-notice.ts'

/** Remembers how to take an operation back, once, for Ctrl+Z. @returns the button of its notice */
export function offerUndo(takeBack: (() => void) | null): NoticeAction[] {
  if (takeBack === null) return []
  let used = false
  const run = () => {
    if (!used) takeBack()
    used = true
  }
  return offer({ run }, run)
}

/** The same for a gesture of deletions, which needs the right to create. */
export function offerRestore(queries: QueryClient, group: string): NoticeAction[] {
  const user = useSession.getState().user
  return user === null || !may(user.perm, 'create') ? [] : offer({ group }, () => void restore(queries, group))
}

/** Takes back the latest operation that was remembered. */
export function undoLatest(queries: QueryClient): void {
  const latest = takeUndo()
  if (latest === null) return
  if ('run' in latest) latest.run()
  else void restore(queries, latest.group)
}

function offer(operation: Undoable, takeBack: () => void): NoticeAction[] {
  rememberUndo(operation)
  const run = () => {
    forgetUndo(operation)
    takeBack()
  }
  return [{ label: t('action.undo'), run }]
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
