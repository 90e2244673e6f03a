import type { FilePath } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { settleStale } from '../journal/recovery.ts'
import type { Stat } from '../storage/storage.ts'
import type { createModel } from './test-model.ts'

/**
 * The server dies before it has settled some operations, and recovery settles them by the disk and what is known of them: nothing of what is new, and the
 * node of a move or a replacement. What the trash keeps was settled at once.
 */
export async function dieAndRecover(
  { journal, begun, tree, versions }: ReturnType<typeof createModel>,
  isOpen: (entry: JournalEntry, index: number) => boolean,
): Promise<void> {
  const isKnown = ({ kind, restored }: JournalEntry): boolean => kind === 'move' || kind === 'replace' || restored !== null
  for (const [index, entry] of journal.entries())
    if (entry.kept === null && isOpen(entry, index))
      journal[index] = { ...entry, state: 'intended', identity: isKnown(entry) ? (begun.get(entry.id) ?? entry.identity) : '' }

  const stat = async (path: FilePath): Promise<Stat | null> => {
    const node = tree.get(path)
    if (node === undefined) return null
    const kind = node.content === null ? 'folder' : 'file'
    return { kind, size: 0, modified: 0, mode: 0, identity: node.identity }
  }
  const rows = {
    unsettled: async () => journal.filter(({ state }) => state === 'intended'),
    after: async (id: string) =>
      journal.filter((entry) => entry.id > id && entry.state !== 'intended' && entry.kind !== 'create' && entry.kind !== 'copy'),
    hasAppeared: async (path: FilePath, { after, before = '999999' }: { after: string; before?: string }) =>
      journal.some(
        ({ id, kind, state, path: place }) =>
          id > after && id < before && state === 'done' && (kind === 'create' || kind === 'copy') && isAtOrAbove(place, path),
      ),
    async hasCome({ id, path, identity }: JournalEntry, { until }: { until: string | null }) {
      const leaves = ({ kind, path: place, origin }: JournalEntry): boolean =>
        (kind === 'delete' && isAtOrAbove(place, path)) || (kind === 'move' && origin !== null && isAtOrAbove(origin, path))
      const since = journal.findLast((entry) => entry.id < id && entry.state !== 'failed' && leaves(entry))?.id ?? ''
      return journal.some((entry) => {
        if (entry.path !== path || entry.kind === 'delete' || entry.state === 'intended' || entry.state === 'failed') return false
        if (identity !== '' && entry.identity !== identity) return false
        if (entry.id < id) return entry.id > since
        return entry.id > id && entry.id < (until ?? '999999') && entry.kind !== 'replace' && entry.version === null
      })
    },
    async settle(entries: readonly JournalEntry[]) {
      for (const entry of entries) {
        const index = journal.findIndex(({ id }) => id === entry.id)
        journal[index] = { ...entry, size: null, modified: null }
      }
    },
  }
  await settleStale(
    {
      journal: rows,
      storage: { stat: async (where) => (typeof where === 'string' ? stat(where) : where.stat) },
      followers: [],
      versions: { holds: async (id) => versions.has(id), notRestored: async () => undefined },
      log(line) {
        throw new Error(line)
      },
    },
    { before: Infinity, signal: new AbortController().signal },
  )
}

function isAtOrAbove(place: FilePath, path: FilePath): boolean {
  return path === place || path.startsWith(`${place}/`)
}
