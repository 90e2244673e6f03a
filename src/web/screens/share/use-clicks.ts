import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { DOUBLE_TAP_MS } from '../../../shared/limits.ts'
import type { Listing } from '../../data/listing.ts'
import type { Selection } from '../../data/selection.ts'

const LONG_PRESS_MS = 500
const LONG_PRESS_TOLERANCE_PX = 10

/** A click selects and a double click opens, as in the files area; on touch a tap opens and a long press selects (ux 66). */
export function useClicks({ folder, selection, onOpen }: { folder: Listing; selection: Selection; onOpen: (index: number) => void }) {
  const last = useRef({ index: -1, at: -Infinity })
  const press = useRef({ timer: 0, x: 0, y: 0, long: false, touch: false })
  const callOff = () => clearTimeout(press.current.timer)

  const onClick = (event: MouseEvent) => {
    const element = event.target instanceof Element ? event.target : null
    if (element?.closest('[data-own-click]')) return
    if (element?.closest('a')) event.preventDefault()
    const { long, touch } = press.current
    press.current.long = false
    const item = element?.closest<HTMLElement>('[data-item]')
    if (long || !item) return
    const index = Number(item.dataset.item)
    const twice = last.current.index === index && event.timeStamp - last.current.at < DOUBLE_TAP_MS
    last.current = { index, at: twice ? -Infinity : event.timeStamp }
    const keys = { add: event.ctrlKey || event.metaKey, range: event.shiftKey }
    const plain = !keys.add && !keys.range
    if (plain && (twice || (touch && !selection.multiple))) return onOpen(index)
    selection.click(index, keys, folder.order)
    item.focus({ preventScroll: true })
  }

  const onPointerDown = (event: PointerEvent) => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-item]') : null
    callOff()
    press.current = { timer: 0, x: event.clientX, y: event.clientY, long: false, touch: event.pointerType === 'touch' }
    if (event.pointerType !== 'touch' || !item || !event.isPrimary) return
    const index = Number(item.dataset.item)
    press.current.timer = window.setTimeout(() => {
      press.current.long = true
      selection.setMultiple(true)
      if (!selection.has(index)) selection.toggle(index)
      navigator.vibrate?.(8)
    }, LONG_PRESS_MS)
  }

  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = press.current
    if (Math.hypot(event.clientX - x, event.clientY - y) > LONG_PRESS_TOLERANCE_PX) callOff()
  }

  const onContextMenu = (event: MouseEvent) => {
    // The long press has done its part.
    if (press.current.touch) event.preventDefault()
  }

  return { onClick, onContextMenu, onPointerDown, onPointerMove, onPointerUp: callOff, onPointerCancel: callOff }
}
