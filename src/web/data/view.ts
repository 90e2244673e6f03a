import { create } from 'zustand'
import { orElse } from '../../shared/errors.ts'
import type { ViewMode } from '../../shared/contract/users.ts'

/** How a folder is displayed. The API knows two of these; `gallery` is stored in this browser. */
export type View = ViewMode | 'gallery'
export type Density = 'compact' | 'normal' | 'roomy'
export type ResizableColumn = 'size' | 'modified'

interface ViewChoices {
  readonly gallery: boolean
  /** Whether folder sizes are shown. */
  readonly folderSizes: boolean
  /** Whether the details pane is open. */
  readonly details: boolean
  readonly density: Density
  /** Pixels, for resized columns. */
  readonly columns: Partial<Record<ResizableColumn, number>>
}

const STORAGE_KEY = 'view'
/** Pixels. */
export const COLUMN_LIMITS: Record<ResizableColumn, { readonly min: number; readonly max: number }> = {
  size: { min: 64, max: 280 },
  modified: { min: 84, max: 360 },
}

/** Stored per browser, like the theme. */
export const useView = create<ViewChoices>(() => readChoices(globalThis.localStorage?.getItem(STORAGE_KEY) ?? null))

export function chooseView(choices: Partial<ViewChoices>): void {
  useView.setState(choices)
  const { gallery, folderSizes, details, density, columns } = useView.getState()
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ gallery, folderSizes, details, density, columns }))
  showDensity()
}

/** Applies the density to the document; the design tokens follow it. */
export function showDensity(): void {
  document.documentElement.dataset.density = useView.getState().density
}

/** Parses the stored value; anything invalid falls back to the default. */
export function readChoices(stored: string | null): ViewChoices {
  const kept = parsed(stored)
  const { gallery, folderSizes, details, density } = kept
  const columns = fields(kept.columns)
  return {
    gallery: gallery === true,
    folderSizes: folderSizes === true,
    details: details === true,
    density: density === 'compact' || density === 'roomy' ? density : 'normal',
    columns: { ...width('size', columns.size), ...width('modified', columns.modified) },
  }
}

/** @param pixels requested width; the result is within the column's limits */
export function clampColumn(column: ResizableColumn, pixels: number): number {
  const { min, max } = COLUMN_LIMITS[column]
  return Math.round(Math.min(max, Math.max(min, pixels)))
}

function width(column: ResizableColumn, value: unknown): Partial<Record<ResizableColumn, number>> {
  return typeof value === 'number' && Number.isFinite(value) ? { [column]: clampColumn(column, value) } : {}
}

function parsed(stored: string | null): Record<string, unknown> {
  return orElse({}, () => fields(JSON.parse(stored ?? 'null')))
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
