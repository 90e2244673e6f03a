import { create } from 'zustand'
import type { ViewMode } from '../../shared/contract/users.ts'

/** How a folder looks. The wire knows two of these, and other clients with it; the gallery is this browser's affair. */
export type View = ViewMode | 'gallery'
export type Density = 'compact' | 'normal' | 'roomy'
export type ResizableColumn = 'size' | 'modified'

interface ViewChoices {
  readonly gallery: boolean
  /** Whether the listing says what lies in each folder. */
  readonly folderSizes: boolean
  /** Whether the details stand beside the entries, where there is room. */
  readonly details: boolean
  readonly density: Density
  /** Pixels, for those that somebody has changed. */
  readonly columns: Partial<Record<ResizableColumn, number>>
}

const STORAGE_KEY = 'view'
/** Pixels. */
export const COLUMN_LIMITS: Record<ResizableColumn, { readonly min: number; readonly max: number }> = {
  size: { min: 64, max: 280 },
  modified: { min: 84, max: 360 },
}

/** Kept in this browser, as the theme is: how much fits depends on the screen one sits at. */
export const useView = create<ViewChoices>(() => readChoices(globalThis.localStorage?.getItem(STORAGE_KEY) ?? null))

export function chooseView(choices: Partial<ViewChoices>): void {
  useView.setState(choices)
  const { gallery, folderSizes, details, density, columns } = useView.getState()
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ gallery, folderSizes, details, density, columns }))
  showDensity()
}

/** Writes the density onto the page, where the tokens follow it. */
export function showDensity(): void {
  document.documentElement.dataset.density = useView.getState().density
}

/** What was kept; whatever is not understood is as if nobody had chosen. */
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

/** @param pixels as wished; what comes out is within the column's limits */
export function clampColumn(column: ResizableColumn, pixels: number): number {
  const { min, max } = COLUMN_LIMITS[column]
  return Math.round(Math.min(max, Math.max(min, pixels)))
}

function width(column: ResizableColumn, value: unknown): Partial<Record<ResizableColumn, number>> {
  return typeof value === 'number' && Number.isFinite(value) ? { [column]: clampColumn(column, value) } : {}
}

function parsed(stored: string | null): Record<string, unknown> {
  try {
    return fields(JSON.parse(stored ?? 'null'))
  } catch {
    return {}
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
