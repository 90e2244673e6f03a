import { create } from 'zustand'
import { type FilePath, nameOf } from '../../shared/file-path.ts'

/** Entries copied (`c`) or cut (`x`) in this page; kept across navigation, lost on reload. */
export interface Clipboard {
  readonly key: 'c' | 'x'
  readonly items: readonly { readonly from: FilePath; readonly name: string }[]
  /** Their parent folder. */
  readonly path: FilePath
}

export const useClipboard = create<{ held: Clipboard | null }>(() => ({ held: null }))

export function setClipboard(key: Clipboard['key'], path: FilePath, sources: readonly FilePath[]): void {
  windowLeft = false
  useClipboard.setState({ held: { key, path, items: sources.map((from) => ({ from, name: nameOf(from) })) } })
}

/** Whether the window has lost focus since: the system clipboard may be newer. */
let windowLeft = false
globalThis.addEventListener?.('blur', () => (windowLeft = true))

export function isClipboardLatest(): boolean {
  return useClipboard.getState().held !== null && !windowLeft
}

/** @param held clears only this content */
export function clearClipboard(held?: Clipboard): void {
  useClipboard.setState((state) => (held === undefined || state.held === held ? { held: null } : {}))
}

/** Names of cut entries in this folder. */
export function cutNames(held: Clipboard | null, path: FilePath): ReadonlySet<string> {
  return held?.key === 'x' && held.path === path ? new Set(held.items.map(({ name }) => name)) : NOTHING
}

const NOTHING: ReadonlySet<string> = new Set()
