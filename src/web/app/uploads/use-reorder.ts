import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useState } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import type { Upload } from '../../data/uploads/queue.ts'
import { moveUpload } from '../../data/uploads/uploads.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

export interface Reorder {
  /** The upload that is being dragged. */
  readonly dragged: number | null
  /** For whoever hears the page: where an upload has gone. */
  readonly announcement: string
  /** On the handle of an upload; the same at every render, so that rows are not drawn for it. */
  readonly grab: (event: PointerEvent, upload: Upload) => void
  /** On the list. */
  readonly handlers: {
    onPointerMove?: (event: PointerEvent) => void
    onPointerUp?: () => void
    onPointerCancel?: () => void
    onKeyDown: (event: KeyboardEvent) => void
  }
}

/**
 * Those that wait can be put into another order: dragged by their handle, or with Alt and the arrows up and down from any button of their row.
 * @param shown all rows in the order on show, each `row` pixels high
 */
export function useReorder(list: RefObject<HTMLElement | null>, { shown, row }: { shown: readonly Upload[]; row: number }): Reorder {
  const [dragged, setDragged] = useState<Upload | null>(null)
  const [announcement, setSaid] = useState('')
  const grab = useCallback(
    (event: PointerEvent, upload: Upload) => {
      if (event.button !== 0) return
      // The row itself moves about in the document while it is dragged; the list stays.
      list.current?.setPointerCapture(event.pointerId)
      setDragged(upload)
    },
    [list],
  )
  const before = shown.findIndex(({ state }) => state === 'waiting')

  const say = (upload: Upload, { at, of }: { at: number; of: number }) =>
    setSaid(t('upload.moved', { name: displayName(nameOf(upload.path)), place: formatNumber(at + 1), count: formatNumber(of) }))

  const drag = ({ clientY }: PointerEvent) => {
    const element = list.current
    if (element === null || dragged === null) return
    const { top, bottom } = element.getBoundingClientRect()
    // Near an edge the list comes along.
    if (clientY < top + row / 2) element.scrollTop -= row / 2
    if (clientY > bottom - row / 2) element.scrollTop += row / 2
    const to = Math.floor((clientY - top + element.scrollTop) / row) - before
    if (shown[before + to]?.id === dragged.id) return
    const place = moveUpload(dragged.id, to)
    // Its turn has come.
    if (place === null) setDragged(null)
    else say(dragged, place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const held = event.target instanceof Element ? event.target.closest('[data-upload]') : null
    const at = shown.findIndex(({ id }) => String(id) === held?.getAttribute('data-upload'))
    const upload = shown[at]
    if (upload?.state !== 'waiting') return
    event.preventDefault()
    const place = moveUpload(upload.id, at - before + (event.key === 'ArrowUp' ? -1 : 1))
    if (place === null) return
    say(upload, place)
    held?.scrollIntoView({ block: 'nearest' })
  }
  const drop = () => setDragged(null)
  return {
    dragged: dragged?.id ?? null,
    announcement,
    grab,
    handlers: dragged === null ? { onKeyDown } : { onKeyDown, onPointerMove: drag, onPointerUp: drop, onPointerCancel: drop },
  }
}
