import type { OperationKind } from '../../../../shared/contract/operations.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import type { Change, PastGesture } from '../../../data/gestures.ts'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName, pathInSentence } from '../../../widgets/display-name.ts'

/** What was done: one kind of change, a new name, or several kinds at once. */
export type GestureKind = OperationKind | 'rename' | 'several'

export function kindOf({ items }: Pick<PastGesture, 'items'>): GestureKind {
  const [first] = items
  if (first === undefined || items.some(({ kind }) => kind !== first.kind)) return 'several'
  return first.kind === 'move' && items.every(isRenamed) ? 'rename' : first.kind
}

/** What was done, with the number of items if there are several: `Moved · 12`. */
export function titleOf(gesture: Pick<PastGesture, 'items' | 'total'>): string {
  const title = t(`history.kind.${kindOf(gesture)}`)
  return gesture.total > 1 ? `${title} · ${formatNumber(gesture.total)}` : title
}

/** The title with the name of what it is about, where nothing else says it. */
export function namedTitle(gesture: Pick<PastGesture, 'items' | 'total'>): string {
  const [first] = gesture.items
  const path = first === undefined ? null : placeOf(first)
  return path === null || gesture.total > 1 ? titleOf(gesture) : `${titleOf(gesture)}: ${shownName(path)}`
}

/** Who did it. */
export function personOf({ mine, by }: Pick<PastGesture, 'mine' | 'by'>): string {
  if (mine) return t('history.you')
  return by === '' ? t('history.server') : displayName(by)
}

/** By which way, if not in the web itself. */
export function wayOf({ via }: Pick<PastGesture, 'via'>): string | null {
  return via === 'web' ? null : t(`history.via.${via}`)
}

/** Whether it took back an earlier gesture, or did again what was taken back. */
export function reversalOf({ reverts, redo }: Pick<PastGesture, 'reverts' | 'redo'>): string | null {
  if (redo) return t('history.is-redo')
  return reverts === null ? null : t('history.is-undo')
}

/** The path that it is shown by; null if the user may not see any. */
export function placeOf({ path, origin }: Pick<Change, 'path' | 'origin'>): FilePath | null {
  return path ?? origin
}

/** Where it is now, as far as this change says; null if it is not there any more. */
export function presentPath({ kind, state, path, origin }: Change): FilePath | null {
  const isTaken = state === 'undone'
  if (kind === 'delete') return isTaken ? path : null
  if (kind === 'move') return isTaken ? origin : path
  return kind === 'replace' || !isTaken ? path : null
}

/** Further facts about a change: its former name, the folders from which and in which, its state. */
export function notesOn(change: Change, { within, state }: { within: FilePath; state: boolean }): string[] {
  const { kind, path, origin } = change
  const place = placeOf(change)
  const notes: string[] = []
  if (kind === 'move' && path !== null && origin !== null) {
    if (nameOf(origin) !== nameOf(path)) notes.push(t('history.was', { name: shownName(origin) }))
    if (parentOf(origin) !== parentOf(path)) notes.push(t('history.from', { folder: folderName(parentOf(origin)) }))
  }
  if (kind === 'copy' && origin !== null) notes.push(t('history.copy-of', { path: pathInSentence(origin.slice(1)) }))
  if (place !== null && place !== within && parentOf(place) !== within) notes.push(t('search.in', { folder: folderName(parentOf(place)) }))
  if (state && change.state === 'undone') notes.push(t('history.undone'))
  if (change.state === 'gone') notes.push(t('history.gone'))
  return notes
}

export function shownName(path: FilePath): string {
  return path === ROOT ? t('files.root') : displayName(nameOf(path))
}

export function folderName(path: FilePath): string {
  return path === ROOT ? t('files.root') : displayName(path.slice(1))
}

function isRenamed({ path, origin }: Change): boolean {
  return path !== null && origin !== null && parentOf(path) === parentOf(origin)
}
