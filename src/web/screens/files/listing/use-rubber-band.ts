import { type PointerEvent, useEffect, useRef } from 'react'
import type { Selection } from '../../../data/selection.ts'
import type { Band } from './bands.ts'

/** What a rubber band is drawn on. */
export interface Ground {
  readonly scroller: HTMLElement
  /** The entries stand in it. */
  readonly content: HTMLElement
  readonly bands: readonly Band[]
  /** Between entries, in pixels. */
  readonly gap: number
  readonly order: Uint32Array
  readonly selection: Selection
}

export function loadRubberBand() {
  return import('./rubber-band.ts')
}

/**
 * A mouse that is pressed in empty space and moved draws a rubber band, and what it touches is selected. In the list, sizes and dates are
 * empty space too, unless their row is selected: rows leave hardly any other.
 */
export function useRubberBand(ground: () => Ground | null) {
  const latest = useRef(ground)
  useEffect(() => {
    latest.current = ground
  })
  const press = useRef<AbortController | null>(null)
  const end = () => press.current?.abort()
  useEffect(() => end, [])

  return {
    /** Whether the mouse was pressed on what may be dragged, but belongs to the band. */
    holds: () => press.current?.signal.aborted === false,
    onPointerDown(event: PointerEvent) {
      end()
      if (event.pointerType !== 'mouse' || event.button !== 0 || event.shiftKey || !isGround(event)) return
      const pressed = new AbortController()
      press.current = pressed
      addEventListener('pointerup', () => pressed.abort(), { signal: pressed.signal })
      addEventListener('pointercancel', () => pressed.abort(), { signal: pressed.signal })
      const { clientX: x, clientY: y, pointerId } = event
      const add = event.ctrlKey || event.metaKey
      const begin = async () => {
        const { drawRubberBand } = await loadRubberBand()
        if (!pressed.signal.aborted) drawRubberBand({ x, y, pointerId, add, ground: () => latest.current() }, pressed)
      }
      // Without it one selects by clicks.
      void begin().catch(() => pressed.abort())
    },
  }
}

function isGround({ target, currentTarget, clientX }: PointerEvent): boolean {
  if (!(target instanceof Element) || target.closest('a, button, input, label, [role=columnheader]')) return false
  // The scroll bar has its own drag.
  const x = clientX - currentTarget.getBoundingClientRect().left - currentTarget.clientLeft
  if (x < 0 || x >= currentTarget.clientWidth) return false
  const item = target.closest('[data-item]')
  return item === null || (target.closest('[data-column=size], [data-column=modified]') !== null && item.ariaSelected !== 'true')
}
