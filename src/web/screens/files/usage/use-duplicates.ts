import { useEffect, useRef, useState } from 'react'
import type { DuplicatesCut } from '../../../../shared/contract/sizes.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { type DuplicateGroup, findDuplicates } from '../../../data/usage.ts'

export type DuplicatesState = 'idle' | 'running' | 'done' | { readonly cut: DuplicatesCut | 'stopped' } | { readonly error: unknown }

export type Duplicates = ReturnType<typeof useDuplicates>

/** One search for duplicates at a time, cancelled on unmount. */
export function useDuplicates(path: FilePath) {
  const [state, setState] = useState<DuplicatesState>('idle')
  const [found, setFound] = useState<readonly DuplicateGroup[]>([])
  const [progress, setProgress] = useState<{ readonly compared: number; readonly of: number } | null>(null)
  const running = useRef<AbortController | null>(null)
  // Cancel on unmount.
  useEffect(() => () => running.current?.abort(), [])

  async function run(signal: AbortSignal): Promise<void> {
    const news = {
      onFound: (copies: DuplicateGroup) => setFound((before) => [...before, copies]),
      onProgress: setProgress,
    }
    try {
      const cut = await findDuplicates(path, news, signal)
      if (!signal.aborted) setState(cut === null ? 'done' : { cut })
    } catch (error) {
      if (!signal.aborted) setState({ error })
    }
  }

  return {
    state,
    found,
    /** Null until the amount of work is known. */
    progress,
    start(): void {
      running.current?.abort()
      running.current = new AbortController()
      setState('running')
      setFound([])
      setProgress(null)
      void run(running.current.signal)
    },
    stop(): void {
      running.current?.abort()
      setState({ cut: 'stopped' })
    },
    /** Removes a deleted file; a group with one file left disappears. */
    forget: (gone: FilePath) =>
      setFound((before) =>
        before
          .map((copies) => ({ ...copies, files: copies.files.filter((file) => file.path !== gone) }))
          .filter(({ files }) => files.length > 1),
      ),
  }
}
