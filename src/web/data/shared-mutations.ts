import { shared } from '../../shared/contract/public.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { useRefresh, visitorHeaders } from './shared-resource.ts'

const client = clientFor({ shared })

/** Gives what lies behind a link another name; fails with `already-exists` and whatever else calls fail with. */
export function useRenameShared(hash: string): (path: FilePath, name: string) => Promise<void> {
  const refresh = useRefresh(hash)
  return async (path, name) => {
    await client.shared.rename({ params: { hash, path }, headers: visitorHeaders(hash), body: { name } })
    await refresh()
  }
}

/** Deletes what lies behind a link, one after the other; what was deleted before one failed stays so. */
export function useRemoveShared(hash: string): (paths: readonly FilePath[]) => Promise<void> {
  const refresh = useRefresh(hash)
  return async (paths) => {
    try {
      for (const path of paths) await client.shared.remove({ params: { hash, path }, headers: visitorHeaders(hash) })
    } finally {
      await refresh()
    }
  }
}
