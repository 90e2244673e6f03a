import { shareNames, unpackNames } from '../../shared/packed-names.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import type { ListAnswer, ListAsk } from './list-worker.ts'
import type { ListedMount } from './listing.ts'
import type { Columns, ListOptions } from './storage.ts'

/** Lists folders in a thread of its own: first the names, then what is known of them. */
export function createListThread(): { list(fd: number, mounts: readonly ListedMount[], options?: ListOptions): Promise<Columns> } {
  const thread = createThreads<ListAnswer>(threadProgram('list-worker'), { small: true })
  return {
    async list(fd, mounts, { signal, onNames } = {}) {
      const told = await thread.ask({ fd, names: null, mounts } satisfies ListAsk)
      signal?.throwIfAborted()
      const names = unpackNames(told.names)
      if (names.length === 0) return { ...told, names }
      onNames?.(names, told.modes)
      const columns = await thread.ask({ fd, names: shareNames(names), mounts } satisfies ListAsk)
      signal?.throwIfAborted()
      return { ...columns, names: unpackNames(columns.names) }
    },
  }
}
