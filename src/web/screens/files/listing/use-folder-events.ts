import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'

/**
 * The folder on show stays as it is on the server, whoever changes it. A page out of sight has no line: browsers have six for each server, and
 * it reads the folder anew when it is looked at again.
 * @param path null while it is still read for the first time
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
      // Without it the folder is read anew now and then, as ever.
      void import('../../../data/folder-events.ts').then(({ watchFolder }) => watchFolder(queries, path, signal)).catch(() => undefined)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      line?.abort()
    }
  }, [queries, path])
}
