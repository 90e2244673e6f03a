/** When nothing has taken the letters by then, the field they were meant for could not be loaded. */
const GIVE_UP_MS = 15_000

const EDITABLE = 'input, textarea, select, [contenteditable]'

let buffer = ''
let stop: (() => void) | null = null

/**
 * Collects what is typed while the field it is meant for is still loading, until `takeTyping`. A click, Escape and the focus in another field mean that
 * it is no longer meant for that field, and discard it.
 */
export function bufferTyping(): void {
  discard()
  const listening = new AbortController()
  const timer = setTimeout(discard, GIVE_UP_MS)
  stop = () => {
    clearTimeout(timer)
    listening.abort()
    stop = null
  }
  const options = { capture: true, signal: listening.signal }
  addEventListener('pointerdown', discard, options)
  addEventListener('keydown', collect, options)
}

/** @returns what was typed since `collectTyping`, and stops collecting */
export function takeBufferedTyping(): string {
  const taken = buffer
  discard()
  return taken
}

function discard(): void {
  stop?.()
  buffer = ''
}

function collect(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing, target } = event
  if (key === 'Escape' || (target instanceof Element && target.closest(EDITABLE))) return discard()
  const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing
  if (!isLetter && key !== 'Backspace') return
  buffer = isLetter ? buffer + key : buffer.slice(0, -1)
  // Not for the listing, which would look for a name that begins so.
  event.preventDefault()
  event.stopPropagation()
}
