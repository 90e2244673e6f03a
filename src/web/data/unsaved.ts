import { useEffect, useRef } from 'react'
import { useHistory } from '../router/router.tsx'
import { ask } from './prompts.ts'

let unsaved = 0

/** Whether a screen has unsaved changes. */
export function hasUnsaved(): boolean {
  return unsaved > 0
}

/**
 * Asks before leaving with unsaved changes: within the app, with Back, and on closing the tab.
 * @param question localised
 * @returns allows the next navigation, for a screen that has just saved
 */
export function useUnsavedGuard(dirty: boolean, question: { title: string; text: string; confirmLabel: string }): () => void {
  const free = useRef(false)
  const history = useHistory()
  const { title, text, confirmLabel } = question
  // Synchronises with the browser's history, and asks the user.
  useEffect(() => {
    if (!dirty) return
    const wants = async () => (await ask('confirm', { title, text, confirmLabel, danger: true })) === true
    return history.block(() => free.current || wants())
  }, [history, dirty, title, text, confirmLabel])
  // Synchronises with the browser's tab.
  useEffect(() => {
    if (!dirty) return
    unsaved += 1
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => {
      unsaved -= 1
      removeEventListener('beforeunload', onUnload)
    }
  }, [dirty])
  return () => {
    free.current = true
  }
}
