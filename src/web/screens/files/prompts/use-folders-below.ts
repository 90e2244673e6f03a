import { useEffect, useState } from 'react'
import { type FilePath, parentOf } from '../../../../shared/file-path.ts'
import { searchFolder } from '../../../data/search.ts'

/** Further typing finds fewer. */
const MOST = 50
const TYPED_MS = 250
const NOTHING = { types: [], extensions: [], words: [], sizes: [], times: [], contents: [] } as const

export interface FoldersBelow {
  readonly found: readonly FilePath[]
  readonly busy: boolean
}

/** Folders with a matching name below a folder, without its direct children, which the picker already lists. Empty for an empty text. */
export function useFoldersBelow(folder: FilePath, text: string): FoldersBelow {
  const [state, setState] = useState<FoldersBelow>({ found: [], busy: false })
  const wanted = text.trim()
  // Searches when typing pauses.
  useEffect(() => {
    setState({ found: [], busy: wanted !== '' })
    if (wanted === '') return
    const left = new AbortController()
    const found: FilePath[] = []
    const look = async (): Promise<void> => {
      const onHits = (hits: readonly { path: FilePath; isDir: boolean }[]) => {
        for (const { path, isDir } of hits) if (isDir && parentOf(path) !== folder && found.length < MOST) found.push(path)
        if (!left.signal.aborted) setState({ found: [...found], busy: found.length < MOST })
        if (found.length >= MOST) left.abort()
      }
      await searchFolder(folder, { ...NOTHING, words: [wanted], sensitive: false, not: NOTHING }, { signal: left.signal, onHits })
      setState({ found: [...found], busy: false })
    }
    const timer = setTimeout(() => void look().catch(() => left.signal.aborted || setState({ found: [...found], busy: false })), TYPED_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [folder, wanted])
  return state
}
