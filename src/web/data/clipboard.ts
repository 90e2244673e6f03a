import { create } from 'zustand'
import { type FilePath, nameOf } from '../../shared/file-path.ts'

/** What was copied (`c`) or cut (`x`) in this page; it outlives folders, not a reload. */
export interface Clipboard {
  readonly key: 'c' | 'x'
  readonly items: readonly { readonly from: FilePath; readonly name: string }[]
  /** The folder they are in. */
  readonly path: FilePath
}

export const useClipboard = create<{ held: Clipboard | null }>(() => ({ held: null }))

export function setClipboard(key: Clipboard['key'], path: FilePath, sources: readonly FilePath[]): void {
  windowLeft = false
  useClipboard.setState({ held: { key, path, items: sources.map((from) => ({ from, name: nameOf(from) })) } })
}

/** Whether the window was left since: what the computer's own clipboard holds may be newer. */
let windowLeft = false
globalThis.addEventListener?.('blur', () => (windowLeft = true))

export function isClipboardLatest(): boolean {
  return useClipboard.getState().held !== null && !windowLeft
}

/** @param held only if it is still this */
export function clearClipboard(held?: Clipboard): void {
  useClipboard.setState((state) => (held === undefined || state.held === held ? { held: null } : {}))
}

/** The names that are cut in this folder, to be shown as on their way. */
export function cutNames(held: Clipboard | null, path: FilePath): ReadonlySet<string> {
  return held?.key === 'x' && held.path === path ? new Set(held.items.map(({ name }) => name)) : NOTHING
}

const NOTHING: ReadonlySet<string> = new Set()
