import { useEffect, useRef } from 'react'
import { useHistory } from '../router/router.tsx'
import { ask } from './prompts.ts'

/**
 * Leaving with something unsaved asks: within the app, with Back, and by closing the tab.
 * @param question in the reader's language
 * @returns lets the next navigation pass, for a screen that has just saved
 */
export function useUnsavedGuard(dirty: boolean, question: { title: string; text: string; confirmLabel: string }): () => void {
  const free = useRef(false)
  const history = useHistory()
  const { title, text, confirmLabel } = question
  // Talks to the browser's history, and to whoever sits there.
  useEffect(() => {
    if (!dirty) return
    const wants = async () => (await ask('confirm', { title, text, confirmLabel, danger: true })) === true
    return history.block(() => free.current || wants())
  }, [history, dirty, title, text, confirmLabel])
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
