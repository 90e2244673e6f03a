import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ask } from './prompts.ts'

/**
 * Leaving with something unsaved asks: within the app, with Back, and by closing the tab.
 * @param question in the reader's language
 * @returns lets the next navigation pass, for a screen that has just saved
 */
export function useUnsavedGuard(dirty: boolean, question: { title: string; text: string; confirmLabel: string }): () => void {
  const free = useRef(false)
  const blocker = useBlocker(() => dirty && !free.current)
  const words = useRef(question)
  words.current = question
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void ask('confirm', { ...words.current, danger: true }).then((leave) => (leave === true ? blocker.proceed() : blocker.reset()))
  }, [blocker])
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
