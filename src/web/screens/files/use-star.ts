import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { File } from '../../../shared/contract/resources.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { useStars } from '../../data/places.ts'
import { isAsking } from '../../data/prompts.ts'
import { isPageKey } from '../../data/shortcuts.ts'
import { loadStar } from './load-deeds.ts'
import { report } from './report.ts'
import { shortcutFor } from './shortcuts.ts'

/**
 * The star of a file on show, and the way to give it or take it, which the key of the listing does too.
 *
 * @param isWritten whether the page has a text in which that key is a letter
 */
export function useStar(path: FilePath, file: File, { isWritten = true } = {}): { starred: boolean; toggle: () => void } {
  const queries = useQueryClient()
  const starred = useStars().has(path)
  const toggle = (): void => {
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
  return { starred, toggle }
}
