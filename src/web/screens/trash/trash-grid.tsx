import { type FocusEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Selection } from '../../data/selection.ts'
import type { Trashed } from '../../data/trash.ts'
import { t } from '../../i18n/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import type { MenuAnchor } from '../../ui/menu-entry.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { indexAt, useItemPointer } from '../../widgets/use-item-pointer.ts'
import { TrashHead } from './trash-head.tsx'
import { TrashRow } from './trash-row.tsx'
import styles from './trash-grid.module.css'
import { useRows } from './use-rows.ts'

/** The header of the columns. */
const HEAD_PX = 36
/** Below the last row, so that notices do not cover it. */
const FOOT_PX = 84

export interface TrashGridHandle {
  /** Rows in sight. */
  page(): number
  /** Scrolls an entry into view and focuses it. */
  focusOn(index: number): void
  /** Restores focus to the current entry if nothing else has it. */
  keepFocus(): void
  elementOf(index: number): HTMLElement | null
  holds(element: Element | null): boolean
}

export interface TrashGridProps {
  ref: Ref<TrashGridHandle>
  entries: readonly Trashed[]
  selection: Selection
  phone: boolean
  who: boolean
  /** More can be loaded. */
  hasMore: boolean
  /** How many pages have been loaded; a page may be empty. */
  pages: number
  onMore: () => void
  onOpen: (index: number) => void
  onMenu: (anchor: MenuAnchor) => void
}

/** Virtualised grid of the trash, with the pointer and the selection of the files. One Tab stop; focus moves between rows. */
export function TrashGrid({ ref, entries, selection, phone, who, hasMore, pages, onMore, onOpen, onMenu }: TrashGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const wanted = useRef(false)
  const focus = useSyncExternalStore(selection.subscribe, () => selection.focus)
  const { rowHeight, page, shown, nearEnd } = useRows(scroller, { count: entries.length, focus })
  const listing = useMemo(() => ({ names: entries.map(({ id }) => id), order: Uint32Array.from(entries.keys()) }), [entries])
  const pointer = useItemPointer({ listing, selection, singleClick: false, onOpen, onMenu })
  const head = phone ? 0 : HEAD_PX

  // Loads what is about to come into sight.
  useEffect(() => {
    if (nearEnd && hasMore) onMore()
  }, [nearEnd, hasMore, onMore, pages])

  const elementOf = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-item="${index}"]`) ?? null
  const reveal = (index: number) => {
    const element = scroller.current
    if (element === null) return
    const [top, bottom] = [index * rowHeight - 4, (index + 1) * rowHeight + head + 4]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
  }
  useImperativeHandle(ref, () => ({
    page: () => page,
    focusOn(index) {
      selection.focusOn(index)
      reveal(index)
      wanted.current = true
      elementOf(index)?.focus({ preventScroll: true })
    },
    keepFocus() {
      const { activeElement } = document
      if (selection.focus !== null && (activeElement === null || activeElement === document.body))
        elementOf(selection.focus)?.focus({ preventScroll: true })
    },
    elementOf,
    holds: (element) => scroller.current?.contains(element) === true,
  }))
  // The requested row may have been rendered only now.
  useLayoutEffect(() => {
    const element = wanted.current && focus !== null ? elementOf(focus) : null
    if (element === null) return
    wanted.current = false
    if (document.activeElement !== element) element.focus({ preventScroll: true })
  })

  const tabStop = focus ?? 0
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t('title.trash')}
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : entries.length + (phone ? 0 : 1)}
      className={classes(styles.scroller, who && styles.withWho)}
      data-part="grid"
      onFocus={(event: FocusEvent) => {
        const index = indexAt(event.target)
        if (index !== null) selection.focusOn(index)
      }}
      {...pointer}
    >
      {!phone && <TrashHead selection={selection} count={entries.length} order={listing.order} who={who} />}
      <div role="presentation" className={styles.content} style={{ blockSize: entries.length * rowHeight + FOOT_PX }}>
        {shown.map((index) => {
          const entry = entries[index]
          return (
            entry && (
              <TrashRow
                key={entry.id}
                entry={entry}
                index={index}
                selection={selection}
                top={index * rowHeight}
                rowIndex={index + (phone ? 1 : 2)}
                tabbable={index === tabStop}
                phone={phone}
                who={who}
              />
            )
          )
        })}
        {hasMore && (
          <div className={styles.loading} style={{ insetBlockStart: entries.length * rowHeight }} aria-hidden>
            <Spinner size={20} />
          </div>
        )}
      </div>
    </div>
  )
}
