import { type CSSProperties, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { squarify } from '../../../data/squarify.ts'
import type { UsageItem } from '../../../data/usage.ts'
import { formatBytes, formatNumber, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { fileKind } from '../../../widgets/file-kind.ts'
import { kindName } from '../../../widgets/kind-name.ts'
import styles from './treemap.module.css'
import { classes } from '../../../ui/classes.ts'
import { nearest } from './nearest.ts'

export interface TreemapProps {
  label: string
  /** In descending order. */
  parts: readonly UsageItem[]
  /** Total bytes. */
  total: number
  /** Whether the largest tile gets initial focus. */
  focused: boolean
  /** An entry was activated. */
  onPart: (part: UsageItem) => void
  onUp: () => void
}

/** Minimum touch target, in square pixels; smaller entries are merged into one tile. */
const LEAST_AREA = 44 * 44
const MOST_TILES = 60

/**
 * Treemap of disk usage. One Tab stop; arrow keys move to the tile in that direction, Home to the largest, Backspace to the parent folder. The list
 * below contains the entries that are too small.
 */
export function Treemap({ label, parts, total, focused, onPart, onUp }: TreemapProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const [at, setAt] = useState(0)
  const least = size === null ? 0 : LEAST_AREA / (size.width * size.height)
  const { shown, rest } = useMemo(() => chosen(parts, total * least), [parts, total, least])
  const weights = [...shown.map(({ bytes }) => bytes), ...(rest.bytes > 0 ? [rest.bytes] : [])]
  const tiles = size === null ? [] : squarify(weights, size.width / size.height)
  const others = rest.bytes > 0 ? tiles.at(-1) : undefined

  // Entries may have been deleted.
  const stop = Math.min(at, shown.length - 1)
  const measured = size !== null
  const wanted = useRef(focused)
  // The activated tile has disappeared: focus its replacement.
  useLayoutEffect(() => {
    if (measured && wanted.current) box.current?.querySelector('button')?.focus()
  }, [measured])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'Backspace') onUp()
    else {
      const buttons = [...(box.current?.querySelectorAll<HTMLElement>('button') ?? [])]
      const next = nearest(buttons, stop, event.key)
      if (next === null) return
      setAt(next)
      buttons[next]?.focus()
    }
    event.preventDefault()
  }

  return (
    <div ref={box} role="group" aria-label={label} className={styles.map} onKeyDown={onKeyDown} data-part="treemap">
      {tiles.slice(0, shown.length).map((tile, index) => {
        const part = shown[index]
        if (part === undefined) return null
        const facts = { name: displayName(part.name), size: formatBytes(part.bytes), share: formatPercent(part.bytes / total) }
        return (
          <button
            key={part.path}
            type="button"
            className={styles.tile}
            style={placeOf(tile)}
            tabIndex={index === stop ? 0 : -1}
            title={t('usage.tile.title', facts)}
            data-kind={fileKind(part)}
            onFocus={() => setAt(index)}
            onClick={() => onPart(part)}
          >
            <span className={styles.words}>
              <bdi className={styles.name}>{facts.name}</bdi>
              <span className="sr-only"> {kindName(part)} </span>
              <bdi className={classes(styles.size, 'truncated')}>{facts.size}</bdi>
              <span className="sr-only"> {facts.share}</span>
            </span>
          </button>
        )
      })}
      {others && (
        <div className={styles.tile} style={placeOf(others)} title={formatBytes(rest.bytes)}>
          <span className={styles.words}>
            <span className={styles.name}>{t('usage.others', { count: rest.count, number: formatNumber(rest.count) })}</span>
            <bdi className={classes(styles.size, 'truncated')}>{formatBytes(rest.bytes)}</bdi>
          </span>
        </div>
      )}
    </div>
  )
}

function chosen(parts: readonly UsageItem[], least: number): { shown: readonly UsageItem[]; rest: { count: number; bytes: number } } {
  const small = parts.findIndex(({ bytes }, index) => index === MOST_TILES || bytes < least)
  // A single small entry is not merged.
  const cut = small < 0 || small === parts.length - 1 ? parts.length : small
  const rest = parts.slice(cut)
  return { shown: parts.slice(0, cut), rest: { count: rest.length, bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0) } }
}

function placeOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }): CSSProperties {
  return {
    insetInlineStart: `${x * 100}%`,
    insetBlockStart: `${y * 100}%`,
    inlineSize: `${width * 100}%`,
    blockSize: `${height * 100}%`,
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** In pixels; null until measured, before the first paint. */
function useSize(box: { readonly current: HTMLElement | null }): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setSize({ width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return size
}
