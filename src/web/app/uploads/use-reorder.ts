import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useState } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import type { Upload } from '../../data/uploads/queue.ts'
import { moveUpload } from '../../data/uploads/uploads.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

/**
 * Reorders waiting uploads: by dragging their handle, or with Alt+Up and Alt+Down from any button of the row.
 * @param shown all rows in display order, each `row` pixels high
 */
export function useReorder(list: RefObject<HTMLElement | null>, { shown, row }: { shown: readonly Upload[]; row: number }) {
  const [dragged, setDragged] = useState<Upload | null>(null)
  const [announcement, setSaid] = useState('')
  const grab = useCallback(
    (event: PointerEvent, upload: Upload) => {
      if (event.button !== 0) return
      // The list captures the pointer, because the row moves in the document while it is dragged.
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
    // Scroll near the edges.
    if (clientY < top + row / 2) element.scrollTop -= row / 2
    if (clientY > bottom - row / 2) element.scrollTop += row / 2
    const to = Math.floor((clientY - top + element.scrollTop) / row) - before
    if (shown[before + to]?.id === dragged.id) return
    const place = moveUpload(dragged.id, to)
    // It is no longer waiting.
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
    /** The upload being dragged. */
    dragged: dragged?.id ?? null,
    /** Announcement for screen readers. */
    announcement,
    /** For the drag handle; referentially stable, so that rows are not rendered again. */
    grab,
    /** For the list. */
    handlers: dragged === null ? { onKeyDown } : { onKeyDown, onPointerMove: drag, onPointerUp: drop, onPointerCancel: drop },
  }
}
