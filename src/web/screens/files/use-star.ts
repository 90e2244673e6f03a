import { useQueryClient } from '@tanstack/react-query'
import type { File } from '../../../shared/contract/resources.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { useStars } from '../../data/favourites.ts'
import { isAsking } from '../../data/prompts.ts'
import { IS_ELSEWHERE } from '../../data/share-context.ts'
import { isPageKey } from '../../data/shortcuts.ts'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { shortcutFor } from './shortcuts.ts'
import { star } from './star.ts'

export interface FileStar {
  readonly starred: boolean
  readonly toggle: () => void
}

/**
 * Favourite state and toggle of the current file, with the shortcut of the listing; null if it cannot be a favourite.
 * @param isWritten whether the page has a text field in which the shortcut types a character
 */
export function useStar(path: FilePath, file: File, { isWritten = true } = {}): FileStar | null {
  const queries = useQueryClient()
  const starred = useStars().has(path)
  // Broken links and names that are not UTF-8 cannot be favourites.
  const canHave = !IS_ELSEWHERE && file.type !== 'invalid_link' && path.isWellFormed()
  const toggle = (): void => {
    if (!canHave) return
    const subject = { path, isDir: false, modified: Date.parse(file.modified), isLink: file.isSymlink, size: file.size }
    star(queries, [subject], !starred)
  }
  usePageEvent('keydown', (event) => {
    if (event.defaultPrevented || isAsking() || shortcutFor(event) !== 'star') return
    const isRead = !isWritten && event.target instanceof Element && event.target.closest('.cm-content') !== null
    if (!isPageKey(event) && !isRead) return
    event.preventDefault()
    toggle()
  })
  return canHave ? { starred, toggle } : null
}
