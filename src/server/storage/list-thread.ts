import type { ListAnswer, ListAsk } from './list-worker.ts'
import type { Columns } from './storage.ts'
import { createThreads } from '../threads/threads.ts'

/** Lists folders in a thread of its own. */
export function createListThread(): { list(fd: number): Promise<Columns> } {
  const thread = createThreads<ListAnswer>(new URL('./list-worker.ts', import.meta.url))
  return {
    async list(fd) {
      const { names, ...columns } = await thread.ask({ fd } satisfies ListAsk)
      return { ...columns, names: names === '' ? [] : names.split('\0') }
    },
  }
}
