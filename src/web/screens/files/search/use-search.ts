import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from '../../../router/router.tsx'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { offerCommands } from '../../../data/commands.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { bufferTyping } from '../../../ui/typing-buffer.ts'
import { ask, isAsking } from '../../../data/prompts.ts'
import type { LeftSearch } from './left.ts'

export interface SearchPlace {
  /** The folder on show, or the one of the file on show; the root where no files are. */
  readonly folder: FilePath
  /** `page`: a place without files of its own, such as the settings. */
  readonly showing: 'listing' | 'text' | 'other' | 'page'
}

/** The search that somebody went away from by one of its results; Back to where it was opened opens it again, whichever screen that is. */
let last: { from: SearchPlace; at: string; left: LeftSearch } | null = null

/**
 * Search by the header and by Ctrl+F; a text has its own Find, and Ctrl+Shift+F there. Going back from a result restores the
 * others as they were.
 */
export function useSearch(place: SearchPlace): void {
  const navigate = useNavigate()
  const { key, navigationType } = useLocation()
  const latest = useRef({ place, navigate, key })
  useEffect(() => {
    latest.current = { place, navigate, key }
  })
  const search = useCallback(async (from: SearchPlace, at: string, options: { text?: string | undefined; left?: LeftSearch }) => {
    last = null
    if (options.text === undefined && options.left === undefined) bufferTyping()
    const answer = await ask('search', { start: from.folder, ...options })
    if (answer === null) return
    last = { from, at, left: answer.left }
    const { path, isDir } = answer.hit
    // A file that is closed leads back to where it was found from.
    const state = from.showing === 'listing' || from.showing === 'page' ? { from: 'listing' } : null
    const { navigate: go } = latest.current
    if (answer.deed === 'open') go(urlFromPath(path, { folder: isDir }) + answer.fragment, { state })
    else go(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path), reveal: true } })
  }, [])
  useEffect(() => {
    const back = last
    if (navigationType === 'pop' && back?.at === key && !isAsking()) void search(back.from, key, { left: back.left })
  }, [navigationType, key, search])
  // Talks to the header and to the keyboard of the whole page.
  useEffect(() => {
    const open = (text?: string): void => void search(latest.current.place, latest.current.key, { text })
    const onKey = (event: KeyboardEvent): void => {
      const { ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
      if (event.key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey) return
      if (defaultPrevented || isAsking() || (latest.current.place.showing === 'text' && !shiftKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    const withdraw = offerCommands({ search: (typed) => open(typed) })
    return () => {
      removeEventListener('keydown', onKey)
      withdraw()
    }
  }, [search])
}
