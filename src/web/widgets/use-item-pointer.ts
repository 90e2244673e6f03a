import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { DOUBLE_TAP_MS } from '../../shared/limits.ts'
import type { MenuAnchor } from '../ui/menu-entry.ts'

const LONG_PRESS_MS = 500
const LONG_PRESS_TOLERANCE_PX = 10

/** The selection operations used by pointer handling. */
export interface PointedSelection {
  readonly multiple: boolean
  has(index: number): boolean
  click(index: number, keys: { add: boolean; range: boolean }, order: Uint32Array): void
  only(index: number): void
  toggle(index: number): void
  clear(): void
  focusOn(index: number): void
  setMultiple(multiple: boolean): void
}

export interface ItemPointerOptions {
  readonly listing: { readonly names: readonly string[]; readonly order: Uint32Array }
  readonly selection: PointedSelection
  /** Whether a single click opens (user setting). Taps always open on touch screens, and so do double clicks. */
  readonly singleClick: boolean
  readonly onOpen: (index: number) => void
  /** Without it the browser's context menu is shown. */
  readonly onMenu?: (anchor: MenuAnchor) => void
}

/** Delegated handlers for clicks, taps, long presses and right clicks on `data-item` elements. */
export function useItemPointer({ listing, selection, singleClick, onOpen, onMenu }: ItemPointerOptions) {
  const last = useRef<{ name: string | undefined; at: number }>({ name: undefined, at: -Infinity })
  const press = useRef({ timer: 0, x: 0, y: 0, done: false, touch: isTouchDevice() })
  const callOff = () => clearTimeout(press.current.timer)

  const onClick = (event: MouseEvent) => {
    const index = indexAt(event.target)
    const element = event.target instanceof Element ? event.target : null
    // Checkboxes handle their clicks; a long press has already been handled.
    if (element?.closest('[data-own-click]')) return
    if (element?.closest('a')) event.preventDefault()
    if (press.current.done) {
      press.current.done = false
      return
    }
    if (index === null) return element?.closest('button, [role=columnheader]') ? undefined : selection.clear()
    const more = element?.closest('[data-more]')
    if (more) {
      if (!selection.has(index)) selection.only(index)
      return onMenu?.(more)
    }
    // By name, because the listing may change between two clicks.
    const name = listing.names[index]
    const twice = last.current.name === name && event.timeStamp - last.current.at < DOUBLE_TAP_MS
    last.current = { name, at: twice ? -Infinity : event.timeStamp }
    const keys = { add: event.ctrlKey || event.metaKey, range: event.shiftKey }
    const once = singleClick || press.current.touch
    if (!keys.add && !keys.range && (twice || (once && !selection.multiple))) return onOpen(index)
    selection.click(index, keys, listing.order)
    element?.closest<HTMLElement>('[data-item]')?.focus({ preventScroll: true })
  }

  const onContextMenu = (event: MouseEvent) => {
    const index = indexAt(event.target)
    const { touch } = press.current
    if (index === null || (!touch && !onMenu)) return
    event.preventDefault()
    // On touch screens the long press has already selected.
    if (touch) return
    if (!selection.has(index)) selection.only(index)
    else selection.focusOn(index)
    onMenu?.({ x: event.clientX, y: event.clientY })
  }

  const onPointerDown = (event: PointerEvent) => {
    const index = indexAt(event.target)
    callOff()
    press.current = { timer: 0, x: event.clientX, y: event.clientY, done: false, touch: event.pointerType !== 'mouse' }
    if (event.pointerType === 'mouse' || index === null || !event.isPrimary) return
    press.current.timer = window.setTimeout(() => {
      press.current.done = true
      selection.setMultiple(true)
      if (!selection.has(index)) selection.toggle(index)
      navigator.vibrate?.(8)
    }, LONG_PRESS_MS)
  }

  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = press.current
    if (Math.hypot(event.clientX - x, event.clientY - y) > LONG_PRESS_TOLERANCE_PX) callOff()
  }

  return { onClick, onContextMenu, onPointerDown, onPointerMove, onPointerUp: callOff, onPointerCancel: callOff }
}

/** For clicks without a pointer type, from assistive technology. */
function isTouchDevice(): boolean {
  return matchMedia('(pointer: coarse)').matches
}

/** Index of the entry that contains the target, or null. */
export function indexAt(target: EventTarget | null): number | null {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-item]')?.dataset.item : undefined
  return item === undefined ? null : Number(item)
}
