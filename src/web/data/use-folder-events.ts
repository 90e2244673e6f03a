import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FilePath } from '../../shared/file-path.ts'

/**
 * Keeps the current folder up to date through server-sent events. Hidden pages disconnect, because browsers allow six connections per server, and
 * refetch when they become visible.
 * @param path null while it is first loaded
 */
export function useFolderEvents(path: FilePath | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (path === null) return
    let line: AbortController | null = null
    const look = (): void => {
      line?.abort()
      line = null
      if (document.visibilityState !== 'visible') return
      const { signal } = (line = new AbortController())
      // If the code fails to load, the folder is refetched as usual.
      void import('./folder-events.ts').then(({ watchFolder }) => watchFolder(queries, path, signal)).catch(() => undefined)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      line?.abort()
    }
  }, [queries, path])
}
