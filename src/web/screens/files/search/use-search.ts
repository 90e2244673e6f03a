import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from '../../../router/router.tsx'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { offerCommands } from '../../../data/commands.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { usePageEvent } from '../../../ui/use-page-event.ts'
import { bufferTyping } from '../../../ui/typing-buffer.ts'
import { ask, isAsking } from '../../../data/prompts.ts'
import type { SavedSearch } from './saved-search.ts'

export interface SearchPlace {
  /** The current folder, or the current file's; the root on screens without files. */
  readonly folder: FilePath
  /** `page`: a screen without files, such as the settings. */
  readonly showing: 'listing' | 'text' | 'other' | 'page'
}

/** The search that was left through one of its results; Back to where it was opened restores it, on any screen. */
let saved: { from: SearchPlace; at: string; left: SavedSearch } | null = null

/** Opens the search from the header and with Ctrl+F; in texts, which have their own Find, with Ctrl+Shift+F. Back from a result restores it. */
export function useSearch(place: SearchPlace): void {
  const navigate = useNavigate()
  const location = useLocation()
  const { key } = location
  const search = async (from: SearchPlace, at: string, options: { text?: string | undefined; left?: SavedSearch }) => {
    saved = null
    if (options.text === undefined && options.left === undefined) bufferTyping()
    const answer = await ask('search', { start: from.folder, ...options })
    if (answer === null) return
    saved = { from, at, left: answer.saved }
    const { path, isDir } = answer.hit
    // Closing the file returns to where the search was opened.
    const state = from.showing === 'listing' || from.showing === 'page' ? { from: 'listing' } : null
    if (answer.action === 'open') navigate(urlFromPath(path, { folder: isDir }) + answer.fragment, { state })
    else navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path), reveal: true } })
  }
  // The location itself, not its key: a page that is returned to before its successor has been shown has the same key and type as before.
  const restore = useEffectEvent(() => {
    const back = saved
    if (location.navigationType === 'pop' && back?.at === location.key && !isAsking()) void search(back.from, back.at, { left: back.left })
  })
  useEffect(() => restore(), [location])
  const open = useEffectEvent((text?: string) => void search(place, key, { text }))
  usePageEvent('keydown', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
    if (event.key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey) return
    if (defaultPrevented || isAsking() || (place.showing === 'text' && !shiftKey)) return
    event.preventDefault()
    void search(place, key, {})
  })
  // Synchronises with the header.
  useEffect(() => offerCommands({ search: (typed) => open(typed) }), [])
}
