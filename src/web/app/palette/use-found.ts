import { useEffect, useState } from 'react'
import { ROOT } from '../../../shared/file-path.ts'
import { type Hit, searchBelow } from '../../data/search.ts'

const PAUSE_MS = 200
const SHORTEST = 2
const MOST = 8

export interface Found {
  readonly hits: readonly Hit[]
  readonly state: 'idle' | 'searching' | 'failed'
}

const NOTHING: Found = { hits: [], state: 'idle' }

/** The first few names anywhere that hold what was typed, asked for when the typing pauses; more typing calls the search off. */
export function useFound(typed: string): Found {
  const text = typed.trim()
  const [found, setFound] = useState({ text, ...NOTHING })
  // Talks to the server.
  useEffect(() => {
    if (text.length < SHORTEST) return
    const call = new AbortController()
    const search = async () => {
      const hits: Hit[] = []
      const show = (state: Found['state']) => !call.signal.aborted && setFound({ text, hits: hits.slice(0, MOST), state })
      show('searching')
      try {
        await searchBelow(ROOT, text, {
          signal: call.signal,
          onHits: (some) => {
            hits.push(...some)
            if (hits.length < MOST) return show('searching')
            show('idle')
            call.abort()
          },
        })
        show('idle')
      } catch {
        // Called off, by ourselves or by whoever typed on, it is no failure: nothing is shown then.
        show('failed')
      }
    }
    const pause = setTimeout(() => void search(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      call.abort()
    }
  }, [text])
  // What was found for other words is not there for these.
  return found.text === text ? found : NOTHING
}
