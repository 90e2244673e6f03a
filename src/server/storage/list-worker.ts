import { readNames, statNames } from './listing.ts'
import type { Columns } from './storage.ts'
import { answerAsks } from '../threads/threads.ts'

export interface ListAsk {
  /** Descriptors are shared by all threads of a process; the asker keeps it open. */
  readonly fd: number
}

/** Names are joined by NUL, which no name has: one text crosses threads faster than 100,000. */
export type ListAnswer = Omit<Columns, 'names'> & { readonly names: string }

answerAsks(({ fd }: ListAsk) => {
  const { names, sizes, modified, modes } = statNames(fd, readNames(fd))
  const answer: ListAnswer = { names: names.join('\0'), sizes, modified, modes }
  return { answer, transfer: [sizes.buffer, modified.buffer, modes.buffer] }
})
