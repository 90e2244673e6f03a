import { queryOptions } from '@tanstack/react-query'
import { trash } from '../../shared/contract/trash.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { TRASH_KEY } from './query.ts'

const client = clientFor({ trash })

/** What becomes of entries that are deleted. */
export interface Fate {
  /** All of them can be restored. */
  readonly restorable: boolean
  /** How long the trash keeps them. */
  readonly days: number
}

/** Characters of paths that fit into an address. The rest of a selection is nearly always on the same file system, and the answers say it. */
const ASKED_CHARACTERS = 2000
const FRESH_MS = 30_000

/** Whether entries can be restored after their deletion. Where the server cannot be asked, they count as lost. */
export function fateQuery(paths: readonly FilePath[]) {
  let characters = 0
  const asked = paths.filter((path, at) => at === 0 || (characters += path.length) < ASKED_CHARACTERS)
  return queryOptions({
    queryKey: [...TRASH_KEY, 'fate', ...asked],
    queryFn: ({ signal }): Promise<Fate> => client.trash.policy({ query: { path: asked } }, { signal }),
    staleTime: FRESH_MS,
    // The dialog is waiting.
    retry: false,
  })
}

/** How long the trash keeps things, and how much of the disk it may take. */
export const trashPolicyQuery = queryOptions({
  queryKey: [...TRASH_KEY, 'policy'],
  queryFn: ({ signal }) => client.trash.policy({ query: { path: ROOT } }, { signal }),
})
