import { useMutation } from '@tanstack/react-query'
import { shared } from '../../shared/contract/public.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { useRefresh, visitorHeaders } from './shared-resource.ts'

const client = clientFor({ shared })

/** Renames a shared entry; fails with `already-exists` and any other call error. */
export function useRenameShared(hash: string, { onSuccess }: { onSuccess: () => void }) {
  return useMutation({
    mutationFn: ({ path, name }: { path: FilePath; name: string }) =>
      client.shared.rename({ params: { hash, path }, headers: visitorHeaders(hash), body: { name } }),
    onSuccess,
    onSettled: useRefresh(hash),
  })
}

/** Deletes shared entries one by one; stops at the first failure. */
export function useRemoveShared(hash: string, { onSuccess }: { onSuccess: (removed: number) => void }) {
  return useMutation({
    async mutationFn(paths: readonly FilePath[]) {
      for (const path of paths) await client.shared.remove({ params: { hash, path }, headers: visitorHeaders(hash) })
    },
    onSuccess: (_, { length }) => onSuccess(length),
    onSettled: useRefresh(hash),
  })
}
