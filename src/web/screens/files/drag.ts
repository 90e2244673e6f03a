import { type FilePath, isWithin, parentOf, parseFilePath } from '../../../shared/file-path.ts'
import type { Permissions } from '../../../shared/contract/users.ts'
import { isMac } from '../../i18n/keys.ts'
import { may } from './offers.ts'

/** In `dataTransfer` there is only this mark: what is dragged stays in memory, however much it is. */
const MARK = 'application/x-satchel-entries'

let dragged: readonly FilePath[] = []

/** What a drop here would do, or null when it is not allowed. */
export type DropOffer = { readonly kind: 'copy' | 'move'; readonly sources: readonly FilePath[] } | { readonly kind: 'upload' }

export function startDrag(transfer: DataTransfer, sources: readonly FilePath[], label: string): void {
  dragged = sources
  transfer.setData(MARK, '')
  transfer.effectAllowed = 'copyMove'
  const picture = document.createElement('div')
  picture.textContent = label
  picture.dataset.part = 'drag-picture'
  document.body.append(picture)
  transfer.setDragImage(picture, -12, -8)
  // The browser takes its picture when this event is over.
  setTimeout(() => picture.remove())
}

/**
 * Lets a file be dropped outside the browser, where the browser can (Chromium's `DownloadURL`). The address holds no secret: the browser that
 * fetches it brings its own cookie.
 * @param url whole, of the file's bytes
 */
export function offerOutside(transfer: DataTransfer, { name, url }: { name: string; url: string }): void {
  // A name that is not UTF-8 has no address that serves it.
  if (/\p{Cs}/u.test(name)) return
  transfer.setData('DownloadURL', `application/octet-stream:${name.replace(CUTS, '_')}:${url}`)
}

/** What would end the name too early. */
const CUTS = /[:\0-\x1f]/g

export function endDrag(): void {
  dragged = []
}

export function offerFor(event: DragEvent, target: FilePath, perm: Permissions): DropOffer | null {
  const types = event.dataTransfer?.types ?? []
  if (types.includes(MARK)) return offerForEntries(dragged, target, { copy: isMac ? event.altKey : event.ctrlKey, perm })
  return types.includes('Files') && may(perm, 'create') ? { kind: 'upload' } : null
}

/** Nothing goes into itself, and nothing is moved to where it is. */
export function offerForEntries(
  sources: readonly FilePath[],
  target: FilePath,
  { copy, perm }: { copy: boolean; perm: Permissions },
): DropOffer | null {
  if (sources.length === 0 || sources.some((source) => isWithin(target, source))) return null
  if (copy) return may(perm, 'create') ? { kind: 'copy', sources } : null
  if (sources.every((source) => parentOf(source) === target)) return null
  return may(perm, 'rename') ? { kind: 'move', sources } : null
}

/** The element below the pointer that takes drops, and the folder it stands for (`data-drop`). */
export function dropTarget(event: DragEvent): { element: HTMLElement; path: FilePath } | null {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop]') : null
  const path = element?.dataset.drop
  return element === null || path === undefined ? null : { element, path: parseFilePath(path) }
}
