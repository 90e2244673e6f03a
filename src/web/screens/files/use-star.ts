import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { File } from '../../../shared/contract/resources.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { useStars } from '../../data/favourites.ts'
import { isAsking } from '../../data/prompts.ts'
import { isPageKey } from '../../data/shortcuts.ts'
import { loadStar } from './load-deeds.ts'
import { report } from './report.ts'
import { shortcutFor } from './shortcuts.ts'

export interface FileStar {
  readonly starred: boolean
  readonly toggle: () => void
}

/**
 * The star of a file on show, and the way to give it or take it, which the key of the listing does too; null where it can have none.
 *
 * @param isWritten whether the page has a text in which that key is a letter
 */
export function useStar(path: FilePath, file: File, { isWritten = true } = {}): FileStar | null {
  const queries = useQueryClient()
  const starred = useStars().has(path)
  // A link that leads nowhere is no place, and a name that is not UTF-8 cannot be written down.
  const canHave = file.type !== 'invalid_link' && path.isWellFormed()
  const toggle = (): void => {
    if (!canHave) return
    const subject = { path, isDir: false, modified: Date.parse(file.modified), isLink: file.isSymlink, size: file.size }
    void loadStar()
      .then(({ star }) => star(queries, [subject], !starred))
      .catch(report)
  }
  const latest = useRef(toggle)
  useEffect(() => {
    latest.current = toggle
  })
  // Talks to the keyboard of the whole page.
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isAsking() || shortcutFor(event) !== 'star') return
      const isRead = !isWritten && event.target instanceof Element && event.target.closest('.cm-content') !== null
      if (!isPageKey(event) && !isRead) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isWritten])
  return canHave ? { starred, toggle } : null
}
