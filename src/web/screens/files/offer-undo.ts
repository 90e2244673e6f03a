import type { Permissions } from '../../../shared/contract/users.ts'
import type { NoticeAction } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { type Gesture, undoGesture } from '../../data/undo.ts'
import { t } from '../../i18n/i18n.tsx'
import { may } from './action-rules.ts'

/** The button of a notice that takes a gesture back. @param right that this needs; the server checks it in any case */
export function offerUndo(gesture: Gesture, right: keyof Permissions): NoticeAction[] {
  const user = useSession.getState().user
  return user !== null && may(user.perm, right) ? [{ label: t('action.undo'), run: () => undoGesture(gesture) }] : []
}
