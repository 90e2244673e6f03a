import {
  type CSSProperties,
  type DragEvent,
  type FocusEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { Sorting } from '../../../../shared/contract/users.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { isComplete, type Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import { useSharedPaths } from '../../../data/shared-paths.ts'
import { useView, type View } from '../../../data/view.ts'
import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import type { MenuAnchor } from '../../../ui/menu-entry.ts'
import { indexAt, useItemPointer } from '../../../widgets/use-item-pointer.ts'
import { type Section, contentHeight, rowAt, rowCount, type VisibleRow, type Step, stepFrom } from './sections.ts'
import { ColumnHead } from './column-head.tsx'
import styles from './grid.module.css'
import { FOOT, gallerySections, gapOf, HEADING, listSections, mosaicSections } from './layouts.ts'
import { ListRow } from './list-row.tsx'
import { Chip, Tile } from './mosaic-row.tsx'
import { useRubberBand } from './use-rubber-band.ts'
import { useFrame, useShownRows } from './use-window.ts'

const SECTIONS = { list: listSections, mosaic: mosaicSections, gallery: gallerySections }
const HEAD_PX = 36
/** Average width of a wide character. */
const LETTER_PX = 9
/** Below this width there is no type column. */
const TYPED_FROM_PX = 860
/** Narrower than this, beside the details of a small window, sizes and dates have as much room as they need and names the rest. */
const TIGHT_BELOW_PX = 600

export interface GridHandle {
  /** The index that a key moves to. */
  step(index: number, step: Step): number
  /** Scrolls an entry into view and focuses it. */
  focusOn(index: number): void
  /** Restores focus to the current entry if nothing else has it. */
  keepFocus(): void
  elementOf(index: number): HTMLElement | null
  holds(element: Element | null): boolean
  scrollTop(): number
  scrollTo(top: number): void
}

export interface GridProps {
  ref: Ref<GridHandle>
  listing: Listing
  selection: Selection
  view: View
  phone: boolean
  label: string
  cut: ReadonlySet<string>
  stars: ReadonlySet<FilePath>
  canDrag: boolean
  /** A single click opens (user setting). */
  singleClick: boolean
  onOpen: (index: number) => void
  onMenu: (anchor: MenuAnchor) => void
  onSort: (by: Sorting['by']) => void
  onDragStart: (event: DragEvent, index: number) => void
}

/**
 * Virtualised grid of a folder's entries. The focused entry is always in the document, even when scrolled out of view. One Tab stop; focus moves
 * between rows and tiles (roving tabindex).
 */
export function Grid(props: GridProps) {
  const { ref, listing, selection, view, phone, label, cut, stars, canDrag, singleClick, onOpen, onMenu, onSort, onDragStart } = props
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const wanted = useRef(false)
  const early = useRef<{ top?: number; position?: number }>({})
  const { density, columns } = useView()
  const shared = useSharedPaths()
  const frame = useFrame(scroller, content, { phone, density })
  const focus = useSyncExternalStore(selection.subscribe, () => selection.focus)
  const pointer = useItemPointer({ listing, selection, singleClick, onOpen, onMenu })

  const tiled = view !== 'list'
  const headed = !tiled && !phone
  const typed = headed && frame !== null && frame.width >= TYPED_FROM_PX * frame.zoom
  const tight = headed && frame !== null && frame.width < TIGHT_BELOW_PX * frame.zoom
  const counts = { folders: listing.numDirs, files: listing.numFiles }
  const sections = frame === null ? [] : SECTIONS[view](counts, frame)
  const { rows, hurried, scrollTo } = useShownRows(scroller, sections, frame?.height ?? 0)
  const focusPosition = focus === null ? null : (listing.positions[focus] ?? null)
  const shown = withPinned(rows, sections, focusPosition)
  const tabStop = focus ?? listing.order[firstInSight(rows, scroller.current?.scrollTop ?? 0)] ?? null

  const gap = tiled ? gapOf({ phone }) : 0
  const rubberBand = useRubberBand(() => {
    const [outer, inner] = [scroller.current, content.current]
    return outer === null || inner === null
      ? null
      : { scroller: outer, content: inner, sections: sections, gap, order: listing.order, selection }
  })

  const elementOf = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-item="${index}"]`) ?? null
  const reveal = (position: number) => {
    if (frame === null) early.current.position = position
    const row = rowAt(sections, position)
    const element = scroller.current
    if (row === null || element === null) return
    const top = row.top <= HEADING ? 0 : row.top - 4
    const bottom = row.top + row.section.rowHeight + (headed ? HEAD_PX : 0) + 4
    if (top < element.scrollTop) scrollTo(top)
    else if (bottom > element.scrollTop + element.clientHeight) scrollTo(bottom - element.clientHeight)
  }
  const focusOn = (index: number) => {
    selection.focusOn(index)
    reveal(listing.positions[index] ?? 0)
    wanted.current = true
    elementOf(index)?.focus({ preventScroll: true })
  }

  useImperativeHandle(ref, () => ({
    step: (index, step) => listing.order[stepFrom(sections, listing.positions[index] ?? 0, step, (frame?.height ?? 0) - HEAD_PX)] ?? index,
    focusOn,
    keepFocus() {
      const { activeElement } = document
      const lost = activeElement === null || activeElement === document.body
      const at = scroller.current?.contains(activeElement) === true ? indexAt(activeElement) : null
      const astray = at !== null && at !== selection.focus
      if (selection.focus !== null && (lost || astray)) elementOf(selection.focus)?.focus({ preventScroll: true })
    },
    elementOf,
    holds: (element) => scroller.current?.contains(element) === true,
    scrollTop: () => scroller.current?.scrollTop ?? 0,
    scrollTo(top) {
      if (frame === null) early.current.top = top
      else scrollTo(top)
    },
  }))

  // Requests made before the grid was measured, and could scroll, are handled now.
  useLayoutEffect(() => {
    if (frame === null) return
    const { top, position } = early.current
    early.current = {}
    if (top !== undefined) scrollTo(top)
    if (position !== undefined) reveal(position)
  })

  // The requested row may have been rendered only now.
  useLayoutEffect(() => {
    if (!wanted.current || focus === null) return
    const element = elementOf(focus)
    if (element === null) return
    wanted.current = false
    if (document.activeElement !== element) element.focus({ preventScroll: true })
  })

  const row = (one: VisibleRow) => {
    const items = [...listing.order.subarray(one.from, one.from + one.count)]
    if (items.length === 0) return <PendingRow key={`row ${one.row}`} row={one} gap={tiled ? gap : null} />
    const common = (index: number) => ({
      listing,
      index,
      selection,
      tabbable: index === tabStop,
      cut: cut.size > 0 && cut.has(listing.names[index] ?? ''),
      stars,
      shared,
      canDrag,
    })
    if (!tiled) {
      return items.map((index) => (
        <ListRow
          key={listing.names[index]}
          {...common(index)}
          top={one.top}
          rowIndex={one.row + (headed ? 2 : 1)}
          phone={phone}
          typed={typed}
          bare={hurried}
          glyph={frame?.glyph ?? 28}
        />
      ))
    }
    const letters = lettersOn(one.section, frame?.width ?? 0, gap)
    return (
      <div key={`row ${one.row}`} role="row" aria-rowindex={one.row + 1} className={styles.tiles} style={tilesStyle(one, gap)}>
        {items.map((index, at) =>
          one.from < listing.numDirs ? (
            <Chip key={listing.names[index]} {...common(index)} column={at + 1} />
          ) : (
            <Tile key={listing.names[index]} {...common(index)} column={at + 1} letters={letters} />
          ),
        )}
      </div>
    )
  }

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={rowCount(sections) + (headed ? 1 : 0)}
      aria-busy={!isComplete(listing)}
      className={classes(styles.scroller, headed && styles.headed, typed && styles.typed, tight && styles.tight)}
      data-part="grid"
      data-view={view}
      style={columnStyle(columns)}
      onFocus={(event: FocusEvent) => {
        const index = indexAt(event.target)
        if (index !== null) selection.focusOn(index)
      }}
      onDragStart={(event) => {
        const index = indexAt(event.target)
        if (rubberBand.holds()) event.preventDefault()
        else if (index !== null) onDragStart(event, index)
      }}
      {...pointer}
      onPointerDown={(event) => {
        pointer.onPointerDown(event)
        rubberBand.onPointerDown(event)
      }}
    >
      {headed && <ColumnHead typed={typed} listing={listing} selection={selection} onSort={onSort} />}
      <div ref={content} role="presentation" className={styles.content} style={{ blockSize: contentHeight(sections) + FOOT }}>
        {tiled && sections.map((section) => <Heading key={section.from} band={section} folders={listing.numDirs} />)}
        {shown.flatMap(row)}
      </div>
    </div>
  )
}

/** Placeholder for a row that is still loading. `gap` is null in the list. */
function PendingRow({ row, gap }: { row: VisibleRow; gap: number | null }) {
  const { section, top, count } = row
  if (gap === null) return <div className={styles.pending} style={{ insetBlockStart: top, blockSize: section.rowHeight }} aria-hidden />
  return (
    <div className={classes(styles.tiles, styles.pendingTiles)} style={tilesStyle(row, gap)} aria-hidden>
      {Array.from({ length: count }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  )
}

/** Approximate number of characters on two lines of a tile. */
function lettersOn({ columns }: Section, width: number, gap: number): number {
  const tile = (width - gap * (columns - 1)) / columns
  return Math.max(14, 2 * Math.floor((tile - 24) / LETTER_PX) - 2)
}

function tilesStyle({ section, top }: VisibleRow, gap: number): CSSProperties {
  const gridTemplateColumns = `repeat(${section.columns}, minmax(0, 1fr))`
  return { insetBlockStart: top, blockSize: section.rowHeight - gap, gap, gridTemplateColumns }
}

/** Widths of resized columns; the stylesheet sets the others. */
function columnStyle({ size, modified }: { size?: number; modified?: number }): CSSProperties {
  return { '--column-size': pixels(size), '--column-modified': pixels(modified) } as CSSProperties
}

function pixels(width: number | undefined): string | undefined {
  return width === undefined ? undefined : `${width}px`
}

/** Hidden from assistive technology: chips already say that they are folders. */
function Heading({ band: section, folders }: { band: Section; folders: number }) {
  return (
    <div className={styles.heading} style={{ insetBlockStart: section.top - HEADING, blockSize: HEADING }} aria-hidden>
      {section.from < folders ? t('files.group.folders') : t('files.group.files')}
    </div>
  )
}

/** Adds the row of the focused entry in document order, even if it is far from the viewport. */
function withPinned(rows: readonly VisibleRow[], sections: readonly Section[], position: number | null): readonly VisibleRow[] {
  const pinned = position === null ? null : rowAt(sections, position)
  if (pinned === null || rows.some((one) => one.row === pinned.row)) return rows
  return pinned.row < (rows[0]?.row ?? 0) ? [pinned, ...rows] : [...rows, pinned]
}

function firstInSight(rows: readonly VisibleRow[], scrollTop: number): number {
  return rows.find((one) => one.top >= scrollTop - 1)?.from ?? 0
}
