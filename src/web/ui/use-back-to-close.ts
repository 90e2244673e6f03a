import { useEffect, useRef } from 'react'

/**
 * Makes the browser's Back close what is open, as on phones, without a router navigation.
 * @returns removes the history entry again; await it before navigating
 */
export function useBackToClose(onBack: () => void): () => Promise<void> {
  const latest = useRef(onBack)
  const leave = useRef(() => Promise.resolve())
  useEffect(() => {
    latest.current = onBack
  })
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
      if (left === null) latest.current()
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
