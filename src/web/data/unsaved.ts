import { useCallback, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ask } from './prompts.ts'

/**
 * Leaving with something unsaved asks: within the app, with Back, and by closing the tab.
 * @param question in the reader's language
 * @returns lets the next navigation pass, for a screen that has just saved
 */
export function useUnsavedGuard(dirty: boolean, question: { title: string; text: string; confirmLabel: string }): () => void {
  const free = useRef(false)
  const blocker = useBlocker(useCallback(() => dirty && !free.current, [dirty]))
  const { title, text, confirmLabel } = question
  // Talks to the router and to whoever sits there.
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void ask('confirm', { title, text, confirmLabel, danger: true }).then((leave) => (leave === true ? blocker.proceed() : blocker.reset()))
  }, [blocker, title, text, confirmLabel])
  // Talks to the browser's tab.
  useEffect(() => {
    if (!dirty) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [dirty])
  return () => {
    free.current = true
  }
}
