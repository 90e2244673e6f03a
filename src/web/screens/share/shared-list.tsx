import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { SHARE_PAGE_ITEMS } from '../../../shared/limits.ts'
import { entryAt, indexOfName, type Listing } from '../../data/listing.ts'
import type { Selection } from '../../data/selection.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { indexAt, useItemPointer } from '../../widgets/use-item-pointer.ts'
import styles from './shared-list.module.css'
import { SharedRow, type SharedRowProps } from './shared-row.tsx'

export interface SharedListProps {
  hash: string
  folder: Listing
  selection: Selection
  label: string
  /** Whether entries can be downloaded. */
  mayTake: boolean
  /** Initial focus: an entry's name, true for the first, null for none. */
  focus: string | true | null
  onOpen: (index: number) => void
  /** Renders entries as tiles instead of rows. */
  tiles?: { readonly Tile: ComponentType<SharedRowProps>; readonly className: string | undefined }
}

/** Entries of a shared folder: 500, then a button that shows more. */
export function SharedList({ hash, folder, selection, label, mayTake, focus, onOpen, tiles }: SharedListProps) {
  const grid = useRef<HTMLDivElement>(null)
  const wished = typeof focus === 'string' ? (folder.positions[indexOfName(folder, focus) ?? -1] ?? null) : focus === true ? 0 : null
  const [shown, setShown] = useState(() => Math.ceil(((wished ?? 0) + 1) / SHARE_PAGE_ITEMS) * SHARE_PAGE_ITEMS)
  const clicks = useItemPointer({ listing: folder, selection, singleClick: true, onOpen })
  const total = folder.order.length
  const count = Math.min(shown, total)

  const focusOn = (index: number) => {
    selection.focusOn(index)
    focusRow(grid.current, index)
  }
  // Sets focus once, after a keyboard navigation from another list.
  const start = useRef(wished)
  useEffect(() => {
    const index = start.current === null ? undefined : folder.order[start.current]
    start.current = null
    if (index === undefined) return
    selection.focusOn(index)
    focusRow(grid.current, index)
  }, [folder, selection])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { index, position } = here(event.target, folder)
    if (event.altKey || index === null) return
    const to = stepFrom(position, { key: event.key, count, ...shapeOf(event.currentTarget, tiles !== undefined) })
    if (to !== null) {
      event.preventDefault()
      const next = folder.order[to] ?? index
      if (event.shiftKey) selection.extend(next, folder.order)
      focusOn(next)
    } else if (event.key === ' ' || event.key === 'Enter') {
      // Links and buttons in a row handle their keys themselves.
      if (event.target !== event.currentTarget.querySelector(`[data-item='${index}']`)) return
      event.preventDefault()
      if (event.key === 'Enter') onOpen(index)
      else selection.toggle(index)
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      selection.all()
    }
  }
  const more = total - count
  const Item = tiles?.Tile ?? SharedRow
  return (
    <>
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={total}
        className={tiles?.className ?? styles.grid}
        onKeyDown={onKeyDown}
        {...clicks}
      >
        {Array.from({ length: count }, (_, position) => (
          <Item
            key={folder.order[position]}
            hash={hash}
            entry={entryAt(folder, position)}
            rowIndex={position + 1}
            first={position === 0}
            selection={selection}
            mayTake={mayTake}
          />
        ))}
      </div>
      {more > 0 && (
        <p className={styles.more}>
          <Button
            label={t('visit.more', { n: more })}
            variant="quiet"
            size="small"
            aria-label={t('visit.more.label', { n: Math.min(more, SHARE_PAGE_ITEMS) })}
            onClick={() => setShown(count + SHARE_PAGE_ITEMS)}
          />
        </p>
      )}
    </>
  )
}

function focusRow(grid: HTMLElement | null, index: number): void {
  grid?.querySelector<HTMLElement>(`[data-item='${index}']`)?.focus()
}

function here(target: EventTarget, folder: Listing): { index: number | null; position: number } {
  const index = indexAt(target)
  return { index, position: index === null ? 0 : (folder.positions[index] ?? 0) }
}

/** Number of columns and the reading direction. */
function shapeOf(grid: HTMLElement, tiled: boolean) {
  const { gridTemplateColumns, direction } = getComputedStyle(grid)
  return { columns: tiled ? gridTemplateColumns.split(' ').length : 1, forward: direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight' }
}

type Shape = ReturnType<typeof shapeOf>

/** The position that a key moves to; null for other keys. */
function stepFrom(position: number, { key, count, columns, forward }: Shape & { key: string; count: number }): number | null {
  const to = (there: number): number => Math.min(count - 1, Math.max(0, there))
  if (key === 'ArrowDown') return to(position + columns)
  if (key === 'ArrowUp') return to(position - columns)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (columns === 1 || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return null
  return to(position + (key === forward ? 1 : -1))
}
