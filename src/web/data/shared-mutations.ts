import { shared } from '../../shared/contract/public.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { useRefresh, visitorHeaders } from './shared-resource.ts'

const client = clientFor({ shared })

/** Renames a shared entry; fails with `already-exists` and any other call error. */
export function useRenameShared(hash: string): (path: FilePath, name: string) => Promise<void> {
  const refresh = useRefresh(hash)
  return async (path, name) => {
    await client.shared.rename({ params: { hash, path }, headers: visitorHeaders(hash), body: { name } })
    await refresh()
  }
}

/** Deletes shared entries one by one; stops at the first failure. */
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
