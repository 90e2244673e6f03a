import { useCallback, useState } from 'react'
import { recallVisit } from './memory.ts'
import type { Filtering } from './use-listing-actions.ts'
import type { Visit } from './use-selection.ts'

interface Filter extends Filtering {
  /** Null while the folder is shown whole and there is no field. */
  readonly text: string | null
  /** Grows each time somebody asks for the field. */
  readonly asked: number
  narrow(text: string): void
}

/** What the folder on show is narrowed to; it is still there when one comes back to it. */
export function useFilter({ key, returned }: Visit): Filter {
  const [text, setText] = useState(() => (returned ? (recallVisit(key)?.filter ?? null) : null))
  const [asked, setAsked] = useState(0)
  const close = useCallback(() => setText(null), [])
  return {
    text,
    asked,
    on: text !== null,
    narrow: setText,
    open() {
      setText((before) => before ?? '')
      setAsked((times) => times + 1)
    },
    close,
  }
}
