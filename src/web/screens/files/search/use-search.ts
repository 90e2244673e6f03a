import { useEffect, useRef } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import { type FilePath, nameOf, parentOf } from '../../../../shared/file-path.ts'
import { offerCommands } from '../../../data/commands.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { ask, isAsking } from '../../../data/prompts.ts'

export interface SearchPlace {
  /** The folder on show, or the one of the file on show. */
  readonly folder: FilePath
  readonly showing: 'listing' | 'text' | 'other'
}

/** Search by the header and by Ctrl+F; a text has its own Find, and Ctrl+Shift+F there (decision 28). */
export function useSearch(place: SearchPlace): void {
  const navigate = useNavigate()
  const latest = useRef({ place, navigate })
  useEffect(() => {
    latest.current = { place, navigate }
  })
  // Talks to the header and to the keyboard of the whole page.
  useEffect(() => {
    const open = async (text?: string): Promise<void> => {
      const { place: from } = latest.current
      const answer = await ask('search', { start: from.folder, text })
      if (answer === null) return
      const { path, isDir } = answer.hit
      // A file that is closed leads back to the folder it was found from.
      const state = from.showing === 'listing' ? { from: 'listing' } : null
      if (answer.deed === 'open') latest.current.navigate(urlFromPath(path, { folder: isDir }), { state })
      else latest.current.navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path), reveal: true } })
    }
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
      if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey) return
      if (defaultPrevented || isAsking() || (latest.current.place.showing === 'text' && !shiftKey)) return
      event.preventDefault()
      void open()
    }
    addEventListener('keydown', onKey)
    const withdraw = offerCommands({ search: (typed) => void open(typed) })
    return () => {
      removeEventListener('keydown', onKey)
      withdraw()
    }
  }, [])
}
