import { useEffect, useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { indexedTotals } from '../../../data/folder-sizes.ts'
import { addTotals, type Totals, readTotals } from '../../../data/folder-totals.ts'

/** What some folders contain, in addition to known counts. */
export interface Content {
  readonly folders: readonly FilePath[]
  readonly besides: Totals
}

export const NOTHING: Totals = { folders: 0, files: 0, bytes: 0 }

export interface ContentCount {
  /** As counted so far. */
  readonly sum: Totals
  readonly state: 'counting' | 'done' | { readonly error: unknown }
}

/** Totals of some folders: from the index, otherwise counted until the component unmounts. */
export function useContent({ folders, besides }: Content): ContentCount {
  const [asked] = useState({ folders, besides })
  const [sum, setSum] = useState(besides)
  const [state, setState] = useState<ContentCount['state']>(folders.length === 0 ? 'done' : 'counting')
  // Requests from the server.
  useEffect(() => {
    const left = new AbortController()
    const count = async (): Promise<void> => {
      let before = asked.besides
      for (const folder of asked.folders) {
        const onSum = (some: Totals) => setSum(addTotals(before, some))
        const known = await indexedTotals(folder, left.signal)
        before = addTotals(before, known ?? (await readTotals(folder, { signal: left.signal, onSum })))
        setSum(before)
      }
      setState('done')
    }
    count().catch((error: unknown) => left.signal.aborted || setState({ error }))
    return () => left.abort()
  }, [asked])
  return { sum, state }
}
