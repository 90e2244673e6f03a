import { useEffect, useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { knownSum } from '../../../data/folder-sizes.ts'
import { plus, type Sum, sumBelow } from '../../../data/folder-sum.ts'

/** What lies in some folders, besides what is known already. */
export interface Content {
  readonly folders: readonly FilePath[]
  readonly besides: Sum
}

export const NOTHING: Sum = { folders: 0, files: 0, bytes: 0 }

export interface ContentCount {
  /** As far as it was counted. */
  readonly sum: Sum
  readonly state: 'counting' | 'done' | { readonly error: unknown }
}

/** Everything below some folders: from the index at once, else counted while one looks on. Ends with the component that asks. */
export function useContent({ folders, besides }: Content): ContentCount {
  const [asked] = useState({ folders, besides })
  const [sum, setSum] = useState(besides)
  const [state, setState] = useState<ContentCount['state']>(folders.length === 0 ? 'done' : 'counting')
  // Talks to the server.
  useEffect(() => {
    const left = new AbortController()
    const count = async (): Promise<void> => {
      let before = asked.besides
      for (const folder of asked.folders) {
        const onSum = (some: Sum) => setSum(plus(before, some))
        const known = await knownSum(folder, left.signal)
        before = plus(before, known ?? (await sumBelow(folder, { signal: left.signal, onSum })))
        setSum(before)
      }
      setState('done')
    }
    count().catch((error: unknown) => left.signal.aborted || setState({ error }))
    return () => left.abort()
  }, [asked])
  return { sum, state }
}
