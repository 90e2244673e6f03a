import { useEffect, useEffectEvent } from 'react'

/** Listens for an event on the whole page; always calls the latest handler. */
export function usePageEvent<Kind extends keyof WindowEventMap>(kind: Kind, handler: (event: WindowEventMap[Kind]) => void): void {
  const handle = useEffectEvent(handler)
  useEffect(() => {
    const listen = (event: WindowEventMap[Kind]) => handle(event)
    addEventListener(kind, listen)
    return () => removeEventListener(kind, listen)
  }, [kind])
}
