import { readNamesAndTypes, statNames } from './listing.ts'
import type { Columns } from './storage.ts'
import { answerAsks } from '../threads/threads.ts'

export interface ListAsk {
  /** Descriptors are shared by all threads of a process; the asker keeps it open. */
  readonly fd: number
  /** Those to look at; null asks which there are. Joined by NUL, which no name has: one text crosses threads faster than 100,000. */
  readonly names: string | null
}

/** The names that are there, joined in the same way, with the columns when names were given, and else with what is known of the modes. */
export type ListAnswer = Omit<Columns, 'names'> & { readonly names: string }

answerAsks(
  (ask: ListAsk) => {
    const { names, sizes, modified, modes } = ask.names === null ? namesAlone(ask.fd) : statNames(ask.fd, ask.names.split('\0'))
    const answer: ListAnswer = { names: names.join('\0'), sizes, modified, modes }
    return { answer, transfer: [sizes.buffer, modified.buffer, modes.buffer] }
  },
  { keeps: false },
)

function namesAlone(fd: number): Columns {
  const { names, types } = readNamesAndTypes(fd)
  return { names, sizes: new Float64Array(), modified: new Float64Array(), modes: types }
}
