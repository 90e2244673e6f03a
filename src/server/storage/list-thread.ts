import type { ListAnswer, ListAsk } from './list-worker.ts'
import type { Columns, ListOptions } from './storage.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'

/** Lists folders in a thread of its own: first the names, then what is known of them. */
export function createListThread(): { list(fd: number, options?: ListOptions): Promise<Columns> } {
  const thread = createThreads<ListAnswer>(threadProgram('list-worker'), { small: true })
  return {
    async list(fd, { signal, onNames } = {}) {
      const { names: text, modes: types, ...none } = await thread.ask({ fd, names: null } satisfies ListAsk)
      signal?.throwIfAborted()
      if (text === '') return { ...none, modes: types, names: [] }
      const names = text.split('\0')
      onNames?.(names, types)
      const { names: present, ...columns } = await thread.ask({ fd, names: text } satisfies ListAsk)
      signal?.throwIfAborted()
      return { ...columns, names: present === text ? names : present.split('\0') }
    },
  }
}
