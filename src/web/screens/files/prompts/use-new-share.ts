import { useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { type NewShare, useMakeShare } from '../../../data/shares.ts'
import { isDuration } from './share-lasting.ts'

const BLANK: NewShare = { expires: '', unit: 'hours', password: '' }

export interface NewShareState {
  readonly wish: NewShare
  readonly change: (fields: Partial<NewShare>) => void
  /** The duration cannot be sent, and somebody tried. */
  readonly badDuration: boolean
  /** Why the server did not make it. */
  readonly error: unknown
  readonly busy: boolean
  readonly submit: () => void
}

/** What is typed for a new link, and its way to the server. */
export function useNewShare(path: FilePath, { onMade }: { onMade: () => void }): NewShareState {
  const [wish, setWish] = useState(BLANK)
  const [tried, setTried] = useState(false)
  const make = useMakeShare(path)

  const submit = () => {
    setTried(true)
    if (!isDuration(wish.expires)) return
    make.mutate(
      { expires: wish.expires.trim(), unit: wish.unit, password: wish.password.trim() },
      {
        onSuccess: () => {
          setWish(BLANK)
          setTried(false)
          onMade()
        },
      },
    )
  }
  return {
    wish,
    change: (fields) => setWish({ ...wish, ...fields }),
    badDuration: tried && !isDuration(wish.expires),
    error: make.error,
    busy: make.isPending,
    submit,
  }
}
