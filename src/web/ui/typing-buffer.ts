/** If nothing has taken the text by then, the field could not be loaded. */
const GIVE_UP_MS = 15_000

const EDITABLE = 'input, textarea, select, [contenteditable]'

let buffer = ''
let stop: (() => void) | null = null

/** Buffers key presses for a field that is still loading, until `takeBufferedTyping`. A click, Escape, or focus in another field discards them. */
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

/** @returns the text typed since `bufferTyping`, and stops buffering */
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
  // Otherwise the listing's type-ahead would get it.
  event.preventDefault()
  event.stopPropagation()
}
