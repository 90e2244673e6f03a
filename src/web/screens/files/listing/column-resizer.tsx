import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { chooseView, clampColumn, COLUMN_LIMITS, type ResizableColumn, useView } from '../../../data/view.ts'
import { t } from '../../../i18n/i18n.tsx'
import styles from './column-resizer.module.css'

const STEP_PX = 10
/** Space between the longest text and the next column. */
const ROOM_PX = { size: 40, modified: 16 } as const satisfies Record<ResizableColumn, number>

/** Column separator: resize by dragging or with arrow keys; double click or Enter fits the content. */
export function ColumnResizer({ column }: { column: ResizableColumn }) {
  const line = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; width: number } | null>(null)
  const [width, setWidth] = useState(0)
  const chosen = useView((state) => state.columns[column])

  // The stylesheet's width until the user has changed it; a narrower window shrinks it.
  useLayoutEffect(() => {
    const head = line.current?.parentElement
    if (!head) return
    const observer = new ResizeObserver(() => setWidth(widthOf(line.current)))
    observer.observe(head)
    return () => observer.disconnect()
  }, [])

  const choose = (pixels: number) => chooseView({ columns: { ...useView.getState().columns, [column]: clampColumn(column, pixels) } })
  const fit = () => choose(widest(line.current, column))
  const wished = ({ clientX }: PointerEvent) =>
    drag.current === null ? null : clampColumn(column, drag.current.width + (clientX - drag.current.x) * outward())

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: widthOf(line.current) }
  }
  // Sets a CSS variable while dragging, so that rows are not rendered again.
  const onPointerMove = (event: PointerEvent) => {
    const pixels = wished(event)
    if (pixels !== null) gridOf(line.current)?.style.setProperty(`--column-${column}`, `${pixels}px`)
  }
  const onPointerUp = (event: PointerEvent) => {
    const pixels = wished(event)
    const moved = pixels !== null && event.clientX !== drag.current?.x
    drag.current = null
    if (moved) choose(pixels)
  }
  const onPointerCancel = () => {
    drag.current = null
    gridOf(line.current)?.style.setProperty(`--column-${column}`, chosen === undefined ? null : `${chosen}px`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { min, max } = COLUMN_LIMITS[column]
    const actions: Record<string, () => void> = {
      ArrowLeft: () => choose(widthOf(line.current) - STEP_PX * outward()),
      ArrowRight: () => choose(widthOf(line.current) + STEP_PX * outward()),
      Home: () => choose(min),
      End: () => choose(max),
      Enter: fit,
    }
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  return (
    <div
      ref={line}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('files.column.width', { name: t(`files.column.${column}`) })}
      aria-valuenow={width}
      aria-valuemin={COLUMN_LIMITS[column].min}
      aria-valuemax={COLUMN_LIMITS[column].max}
      className={styles.line}
      data-part="column-resizer"
      onDoubleClick={fit}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
    />
  )
}

/** The separator is at the start of its column: moving it towards the inline start widens the column. */
function outward(): 1 | -1 {
  return document.documentElement.dir === 'rtl' ? 1 : -1
}

function widthOf(line: HTMLElement | null): number {
  return Math.round(line?.parentElement?.getBoundingClientRect().width ?? 0)
}

function gridOf(line: HTMLElement | null): HTMLElement | null {
  return line?.closest<HTMLElement>('[data-part=grid]') ?? null
}

/** The width of the rendered texts and the header. */
function widest(line: HTMLElement | null, column: ResizableColumn): number {
  const texts = gridOf(line)?.querySelectorAll(`[role=gridcell][data-column=${column}] > *`) ?? []
  const head = line?.parentElement?.querySelector('button')
  return [...texts, ...(head ? [head] : [])].reduce((most, text) => Math.max(most, text.getBoundingClientRect().width), 0) + ROOM_PX[column]
}
