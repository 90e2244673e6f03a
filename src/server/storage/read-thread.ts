import type { ReadAnswer, ReadAsk } from './read-worker.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'

/** Reads many small files in a thread of its own. */
export function createReadThread(): { read(ask: ReadAsk): Promise<ReadAnswer> } {
  const thread = createThreads<ReadAnswer>(threadProgram('read-worker'))
  return { read: (ask) => thread.ask(ask) }
}
