import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Nearer to where it began, a press is a click. */
const BEGINS_PX = 6

export interface Order {
  /** In the order on show, also while something is dragged. */
  readonly ids: readonly string[]
  readonly dragged: string | null
  /** On what an item is dragged by. @param options.at once, as a handle is, not first after some pixels */
  readonly grab: (event: PointerEvent, id: string, options?: { atOnce: boolean }) => void
  /** On the list. */
  readonly handlers: {
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: () => void
    onPointerCancel: () => void
    onKeyDown: (event: KeyboardEvent) => void
  }
}

/**
 * A list whose items (`data-order` is the id of each) are put into another order: dragged, or with Alt and the arrows up and down from anything in
 * an item. While an item is dragged the list shows the order as it would be.
 * @param options.onOrder the new order, and what has gone to which place in it
 */
export function useOrder(
  list: RefObject<HTMLElement | null>,
  { ids, onOrder }: { ids: readonly string[]; onOrder: (ids: readonly string[], moved: { id: string; to: number }) => void },
): Order {
  const [draft, setDraft] = useState<{ id: string; ids: readonly string[] } | null>(null)
  const press = useRef<{ id: string; y: number; pointer: number } | null>(null)
  const refocus = useRef<HTMLElement | null>(null)
  const shown = draft?.ids ?? ids

  // What the browser moves in the document loses the focus.
  useLayoutEffect(() => {
    if (refocus.current?.isConnected && document.activeElement !== refocus.current) refocus.current.focus()
    refocus.current = null
  }, [ids])

  const begin = (id: string, pointer: number) => {
    list.current?.setPointerCapture(pointer)
    setDraft({ id, ids })
  }
  const move = (clientY: number) => {
    if (draft === null) return
    const others = [...(list.current?.querySelectorAll<HTMLElement>('[data-order]') ?? [])].filter((one) => one.dataset.order !== draft.id)
    const to = others.filter((one) => middleOf(one) < clientY).length
    if (shown[to] !== draft.id) setDraft({ id: draft.id, ids: moved(shown, draft.id, to) })
  }
  const end = (keep: boolean) => {
    press.current = null
    setDraft(null)
    if (keep && draft?.ids.some((id, at) => id !== ids[at])) onOrder(draft.ids, { id: draft.id, to: draft.ids.indexOf(draft.id) })
  }
  return {
    ids: shown,
    dragged: draft?.id ?? null,
    grab(event, id, options) {
      if (event.button !== 0 || ids.length < 2) return
      if (options?.atOnce) begin(id, event.pointerId)
      // A finger scrolls.
      else if (event.pointerType === 'mouse') press.current = { id, y: event.clientY, pointer: event.pointerId }
    },
    handlers: {
      onPointerMove({ clientY, buttons }) {
        if (buttons === 0) press.current = null
        const pressed = press.current
        if (draft !== null) move(clientY)
        else if (pressed !== null && Math.abs(clientY - pressed.y) > BEGINS_PX) begin(pressed.id, pressed.pointer)
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onKeyDown(event) {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (!event.altKey || step === 0 || !(event.target instanceof HTMLElement)) return
        const id = event.target.closest<HTMLElement>('[data-order]')?.dataset.order
        if (id === undefined) return
        // Elsewhere on the page these keys mean something else.
        event.preventDefault()
        const to = ids.indexOf(id) + step
        if (to < 0 || to >= ids.length) return
        refocus.current = event.target
        onOrder(moved(ids, id, to), { id, to })
      },
    },
  }
}

export function moved(ids: readonly string[], id: string, to: number): readonly string[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(to, 0, id)
}

function middleOf(element: HTMLElement): number {
  const { top, bottom } = element.getBoundingClientRect()
  return (top + bottom) / 2
}
