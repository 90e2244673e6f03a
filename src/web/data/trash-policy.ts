import { queryOptions } from '@tanstack/react-query'
import { trash } from '../../shared/contract/trash.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { TRASH_KEY } from './query.ts'

const client = clientFor({ trash })

/** What becomes of entries that are deleted. */
export interface Fate {
  readonly restorable: 'all' | 'some' | 'none'
  /** How long the trash keeps them. */
  readonly days: number
}

/** Asked for these many of a selection; the others are nearly always on the same file system, and the answers to the deletions say it. */
const ASKED = 8
const FRESH_MS = 30_000

/** Whether entries can be restored after their deletion. */
export function fateQuery(paths: readonly FilePath[]) {
  const asked = paths.slice(0, ASKED)
  return queryOptions({
    queryKey: [...TRASH_KEY, 'fate', ...asked],
    queryFn: async ({ signal }): Promise<Fate> => {
      const answers = await Promise.all(asked.map((path) => client.trash.policy({ query: { path } }, { signal })))
      const kept = answers.filter(({ restorable }) => restorable)
      return { restorable: kept.length === 0 ? 'none' : kept.length < answers.length ? 'some' : 'all', days: answers[0]?.days ?? 0 }
    },
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
