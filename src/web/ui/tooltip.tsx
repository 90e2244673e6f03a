import { useEffect, useRef } from 'react'
import styles from './tooltip.module.css'

const SHOW_AFTER_MS = 500
/** Within this time after a tooltip, the next one appears without delay. */
const WARM_FOR_MS = 300
const GAP_PX = 6

/**
 * Shows the `data-tooltip` of the hovered or focused element; one host for the whole page. Hidden from assistive technology, because it repeats
 * accessible names.
 */
export function TooltipHost() {
  const bubble = useRef<HTMLDivElement>(null)
  // Elements anywhere in the document can have tooltips.
  useEffect(() => (bubble.current ? listen(bubble.current) : undefined), [])
  return <div ref={bubble} className={styles.bubble} popover="manual" aria-hidden data-part="tooltip" />
}

function listen(bubble: HTMLElement): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let target: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let warmUntil = 0

  const hide = () => {
    clearTimeout(timer)
    if (target !== null && bubble.matches(':popover-open')) warmUntil = Date.now() + WARM_FOR_MS
    target = null
    if (bubble.matches(':popover-open')) bubble.hidePopover()
  }
  const show = (element: Element, afterMs: number) => {
    if (element === target) return clearTimeout(timer)
    hide()
    target = element
    timer = setTimeout(() => place(bubble, element), afterMs)
  }
  const owner = (event: Event) => (event.target instanceof Element ? event.target.closest('[data-tooltip]') : null)

  document.addEventListener(
    'pointerover',
    (event) => {
      if (event.pointerType === 'touch') return
      if (event.target instanceof Node && bubble.contains(event.target)) return
      const element = owner(event)
      if (element) show(element, Date.now() < warmUntil ? 0 : SHOW_AFTER_MS)
      else hide()
    },
    { signal },
  )
  document.addEventListener(
    'focusin',
    (event) => {
      const element = owner(event)
      if (element?.matches(':focus-visible')) show(element, SHOW_AFTER_MS)
      else hide()
    },
    { signal },
  )
  for (const gone of ['pointerdown', 'focusout', 'scroll', 'keydown']) document.addEventListener(gone, hide, { signal, capture: true })
  return () => {
    hide()
    listening.abort()
  }
}

function place(bubble: HTMLElement, element: Element): void {
  const text = element.getAttribute('data-tooltip')
  if (!text || !element.isConnected) return
  const shortcut = element.getAttribute('data-tooltip-shortcut')
  bubble.replaceChildren(text)
  if (shortcut) {
    const keys = document.createElement('kbd')
    keys.textContent = shortcut
    bubble.append(keys)
  }
  bubble.showPopover()
  const box = element.getBoundingClientRect()
  const own = bubble.getBoundingClientRect()
  const below = box.bottom + GAP_PX + own.height < innerHeight
  const x = Math.max(GAP_PX, Math.min(box.left + box.width / 2 - own.width / 2, innerWidth - own.width - GAP_PX))
  const y = below ? box.bottom + GAP_PX : box.top - GAP_PX - own.height
  bubble.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`
}
