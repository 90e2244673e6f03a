import type { ReadAnswer, ReadAsk } from './read-worker.ts'
import { createThreads } from '../threads/threads.ts'

/** Reads many small files in a thread of its own. */
export function createReadThread(): { read(ask: ReadAsk): Promise<ReadAnswer> } {
  const thread = createThreads<ReadAnswer>(new URL('./read-worker.ts', import.meta.url))
  return { read: (ask) => thread.ask(ask) }
}
