import { type PointerEvent, useEffect, useRef } from 'react'
import { drawRubberBand, type RubberBandSurface } from './rubber-band.ts'

/** Starts a rubber band selection on a mouse drag in empty space. In the list, the size and date cells of unselected rows count as empty space. */
export function useRubberBand(surface: () => RubberBandSurface | null) {
  const latest = useRef(surface)
  useEffect(() => {
    latest.current = surface
  })
  const press = useRef<AbortController | null>(null)
  const end = () => press.current?.abort()
  useEffect(() => end, [])

  return {
    /** Whether the press started a rubber band rather than a drag of the entry. */
    holds: () => press.current?.signal.aborted === false,
    onPointerDown(event: PointerEvent) {
      end()
      if (event.pointerType !== 'mouse' || event.button !== 0 || event.shiftKey || !isEmptySpace(event)) return
      const pressed = new AbortController()
      press.current = pressed
      addEventListener('pointerup', () => pressed.abort(), { signal: pressed.signal })
      addEventListener('pointercancel', () => pressed.abort(), { signal: pressed.signal })
      const { clientX: x, clientY: y, pointerId } = event
      const add = event.ctrlKey || event.metaKey
      drawRubberBand({ x, y, pointerId, add, surface: () => latest.current() }, pressed)
    },
  }
}

function isEmptySpace({ target, currentTarget, clientX }: PointerEvent): boolean {
  if (!(target instanceof Element) || target.closest('a, button, input, label, [role=columnheader]')) return false
  // Ignore the scroll bar.
  const x = clientX - currentTarget.getBoundingClientRect().left - currentTarget.clientLeft
  if (x < 0 || x >= currentTarget.clientWidth) return false
  const item = target.closest('[data-item]')
  return item === null || (target.closest('[data-column=size], [data-column=modified]') !== null && item.ariaSelected !== 'true')
}
