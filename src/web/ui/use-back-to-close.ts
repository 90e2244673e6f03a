import { useEffectEvent, useLayoutEffect } from 'react'

/** What is open and can be closed by Back, topmost last. */
const open: { close: () => void }[] = []
const listeners = new Set<() => void>()

/**
 * While it is open, the browser's Back (a button, a key, the gesture of a phone) closes it, before everything that was opened before it, and stays on
 * the page. `onBack` may leave it open: the next Back asks again.
 */
export function useBackToClose({ open: isOpen, onBack }: { open: boolean; onBack: () => void }): void {
  const close = useEffectEvent(onBack)
  // Synchronises with the browser's history, through `openLayers`.
  useLayoutEffect(() => {
    if (!isOpen) return
    const layer = { close: () => close() }
    open.push(layer)
    tell()
    return () => {
      open.splice(open.indexOf(layer), 1)
      tell()
    }
  }, [isOpen])
}

/** For the history, which keeps an entry for each of them. */
export const openLayers = {
  count: (): number => open.length,
  closeAbove(count: number): void {
    for (const layer of open.slice(count).toReversed()) layer.close()
  },
  /** @returns unsubscribes */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function tell(): void {
  for (const listener of listeners) listener()
}
