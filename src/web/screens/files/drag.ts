import { type FilePath, isWithin, parentOf, parseFilePath } from '../../../shared/file-path.ts'
import type { Permissions } from '../../../shared/contract/users.ts'
import { isMac } from '../../i18n/keys.ts'
import { may } from './action-rules.ts'

/** `dataTransfer` contains only this type; the dragged paths stay in memory. */
const MIME_TYPE = 'application/x-satchel-entries'

let dragged: readonly FilePath[] = []

/** What dropping here would do; null if it is not allowed. */
export type AllowedDrop = { readonly kind: 'copy' | 'move'; readonly sources: readonly FilePath[] } | { readonly kind: 'upload' }

export function startDrag(transfer: DataTransfer, sources: readonly FilePath[], label: string): void {
  dragged = sources
  transfer.setData(MIME_TYPE, '')
  transfer.effectAllowed = 'copyMove'
  const picture = document.createElement('div')
  picture.textContent = label
  picture.dataset.part = 'drag-picture'
  document.body.append(picture)
  transfer.setDragImage(picture, -12, -8)
  // The browser takes the drag image after this event.
  setTimeout(() => picture.remove())
}

/**
 * Allows dragging a file out of the browser (Chromium's `DownloadURL`). The address contains no secret: the browser sends its cookie.
 * @param url full address of the file
 */
export function setDownloadUrl(transfer: DataTransfer, { name, url }: { name: string; url: string }): void {
  // A name that is not UTF-8 has no usable address.
  if (/\p{Cs}/u.test(name)) return
  transfer.setData('DownloadURL', `application/octet-stream:${name.replace(UNSAFE, '_')}:${url}`)
}

/** Characters that end the file name in the `DownloadURL` format. */
const UNSAFE = /[:\0-\x1f]/g

export function endDrag(): void {
  dragged = []
}

export function dropFor(event: DragEvent, target: FilePath, perm: Permissions): AllowedDrop | null {
  const types = event.dataTransfer?.types ?? []
  if (types.includes(MIME_TYPE)) return dropForEntries(dragged, target, { copy: isMac ? event.altKey : event.ctrlKey, perm })
  return types.includes('Files') && may(perm, 'create') ? { kind: 'upload' } : null
}

/** Nothing can be dropped into itself or moved to where it is. */
export function dropForEntries(
  sources: readonly FilePath[],
  target: FilePath,
  { copy, perm }: { copy: boolean; perm: Permissions },
): AllowedDrop | null {
  if (sources.length === 0 || sources.some((source) => isWithin(target, source))) return null
  if (copy) return may(perm, 'create') ? { kind: 'copy', sources } : null
  if (sources.every((source) => parentOf(source) === target)) return null
  return may(perm, 'rename') ? { kind: 'move', sources } : null
}

/** The drop target below the pointer and its folder (`data-drop`). */
export function dropTarget(event: DragEvent): { element: HTMLElement; path: FilePath } | null {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop]') : null
  const path = element?.dataset.drop
  return element === null || path === undefined ? null : { element, path: parseFilePath(path) }
}
