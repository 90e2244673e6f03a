import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { displayName } from './display-name.ts'

/** Smaller movements count as a click. */
const BEGINS_PX = 6

/**
 * A sortable list of paths (`data-order` on each item): by dragging, or with Alt+Up and Alt+Down anywhere in an item. While dragging, shows the
 * resulting order.
 */
export function useSortable(
  list: RefObject<HTMLElement | null>,
  { paths, onOrder }: { paths: readonly FilePath[]; onOrder: (paths: readonly FilePath[]) => void },
) {
  const [draft, setDraft] = useState<{ path: FilePath; paths: readonly FilePath[] } | null>(null)
  const [announcement, setSaid] = useState('')
  const press = useRef<{ path: FilePath; y: number; pointer: number } | null>(null)
  const refocus = useRef<HTMLElement | null>(null)
  const shown = draft?.paths ?? paths

  // Moving an element in the document loses its focus.
  useLayoutEffect(() => {
    if (refocus.current?.isConnected && document.activeElement !== refocus.current) refocus.current.focus()
    refocus.current = null
  }, [paths])

  const begin = (path: FilePath, pointer: number) => {
    list.current?.setPointerCapture(pointer)
    setDraft({ path, paths })
  }
  const move = (clientY: number) => {
    if (draft === null) return
    const others = [...(list.current?.querySelectorAll<HTMLElement>('[data-order]') ?? [])].filter(
      (one) => one.dataset.order !== draft.path,
    )
    const to = others.filter((one) => middleOf(one) < clientY).length
    if (shown[to] !== draft.path) setDraft({ path: draft.path, paths: moved(shown, draft.path, to) })
  }
  const put = (order: readonly FilePath[], path: FilePath) => {
    const place = formatNumber(order.indexOf(path) + 1)
    setSaid(t('places.moved', { name: displayName(nameOf(path)), place, count: formatNumber(order.length) }))
    onOrder(order)
  }
  const end = (keep: boolean) => {
    press.current = null
    setDraft(null)
    if (keep && draft?.paths.some((path, at) => path !== paths[at])) put(draft.paths, draft.path)
  }
  return {
    /** In display order, also while dragging. */
    paths: shown,
    dragged: draft?.path ?? null,
    /** Announcement for screen readers. */
    announcement,
    /** For the drag handle or item. @param options.atOnce starts immediately (handles) instead of after some pixels */
    grab(event: PointerEvent, path: FilePath, options?: { atOnce: boolean }) {
      if (event.button !== 0 || paths.length < 2) return
      if (options?.atOnce) begin(path, event.pointerId)
      // Touch scrolls instead.
      else if (event.pointerType === 'mouse') press.current = { path, y: event.clientY, pointer: event.pointerId }
    },
    /** For the list. */
    handlers: {
      onPointerMove({ clientY, buttons }: PointerEvent) {
        if (buttons === 0) press.current = null
        const pressed = press.current
        if (draft !== null) move(clientY)
        else if (pressed !== null && Math.abs(clientY - pressed.y) > BEGINS_PX) begin(pressed.path, pressed.pointer)
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onKeyDown(event: KeyboardEvent) {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (!event.altKey || step === 0 || !(event.target instanceof HTMLElement)) return
        const item = event.target.closest<HTMLElement>('[data-order]')?.dataset.order
        const path = paths.find((one) => one === item)
        if (path === undefined) return
        // These keys have another meaning elsewhere on the page.
        event.preventDefault()
        const to = paths.indexOf(path) + step
        if (to < 0 || to >= paths.length) return
        refocus.current = event.target
        put(moved(paths, path, to), path)
      },
    },
  }
}

export function moved<Item>(items: readonly Item[], item: Item, to: number): readonly Item[] {
  const others = items.filter((one) => one !== item)
  return others.toSpliced(to, 0, item)
}

function middleOf(element: HTMLElement): number {
  const { top, bottom } = element.getBoundingClientRect()
  return (top + bottom) / 2
}
