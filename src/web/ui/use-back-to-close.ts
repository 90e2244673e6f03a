import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Makes the browser's Back close what is open, as on phones, without a router navigation.
 * @returns removes the history entry again; await it before navigating
 */
export function useBackToClose(onBack: () => void): () => Promise<void> {
  const goBack = useEffectEvent(onBack)
  const leave = useRef(() => Promise.resolve())
  // Synchronises with the browser's history.
  useEffect(() => {
    let left: (() => void) | null = null
    let there = true
    history.pushState(history.state, '')
    const onPop = (event: PopStateEvent) => {
      // Our own history entry: hide the event from the router.
      event.stopImmediatePropagation()
      removeEventListener('popstate', onPop, { capture: true })
      there = false
      if (left === null) goBack()
      else left()
    }
    addEventListener('popstate', onPop, { capture: true })
    let going: Promise<void> | null = null
    leave.current = () => {
      if (!there) return Promise.resolve()
      going ??= new Promise((resolve) => {
        left = resolve
        history.back()
      })
      return going
    }
    return () => removeEventListener('popstate', onPop, { capture: true })
  }, [])
  return () => leave.current()
}
