import type { QueryClient } from '@tanstack/react-query'
import type * as Revert from './revert.ts'
import { inTime } from '../../data/chunks.ts'
import { closeNotice, notify } from '../../data/notices.ts'
import { latestQuery } from '../../data/operations.ts'
import { type Gesture, inOrder, now, takeRecent, type Undoer, whenEnded } from '../../data/undo.ts'
import { errorText, t } from '../../i18n/i18n.tsx'

/** Takes back and does again, in order, and tells the user. */
export function createUndoer(queries: QueryClient): Undoer {
  const undo = (gesture: Gesture): void => {
    const waiting = gesture.running ? notifyWaiting() : null
    void inOrder(gesture.order, async () => {
      const changed = await gesture.ended
      if ((waiting === null || waiting.end()) && changed) await run((module) => module.revertAndTell(queries, 'undo', gesture.group))
    })
  }
  return {
    gesture: (gesture) => gesture.take() && undo(gesture),
    undo() {
      const gesture = takeRecent()
      if (gesture !== null) return undo(gesture)
      const moment = now()
      void inOrder(0, () => run((module) => module.revertLatest(queries, 'undo', moment)))
    },
    redo() {
      const moment = now()
      void inOrder(0, async () => {
        await whenEnded()
        await run((module) => module.revertLatest(queries, 'redo', moment))
      })
    },
    onDone: () => void queries.prefetchQuery(latestQuery),
  }
}

/** @returns ends it: false if the user cancelled */
function notifyWaiting(): { end: () => boolean } {
  let wanted = true
  const actions = [{ label: t('action.cancel'), run: () => void (wanted = false) }]
  const notice = notify({ tone: 'working', text: t('undo.waiting'), actions })
  const end = () => {
    closeNotice(notice)
    return wanted
  }
  return { end }
}

async function run(work: (module: typeof Revert) => Promise<void>): Promise<void> {
  try {
    await work(await inTime(import('./revert.ts')))
  } catch (error) {
    notify({ tone: 'error', text: errorText(error) })
  }
}
