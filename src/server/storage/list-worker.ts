import { shared } from '../../shared/column.ts'
import { type NameBytes, type PackedNames, packNames, shareNames, unpackNames } from '../../shared/packed-names.ts'
import { answerRequests } from '../threads/threads.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { type ListedMount, statNames } from './listing.ts'
import type { Columns } from './storage.ts'

export interface ListAsk {
  /** Descriptors are shared by all threads of a process; the asker keeps it open. */
  readonly fd: number
  /** Those to look at; null asks which there are. */
  readonly names: NameBytes | null
  /** What is not to be looked at. */
  readonly mounts: readonly ListedMount[]
}

/** The names that are there, with the columns when names were given, and else with what is known of the modes. */
export type ListAnswer = Omit<Columns, 'names'> & { readonly names: NameBytes }

const NONE = new Float64Array()

answerRequests(
  ({ fd, names, mounts }: ListAsk) => ({
    answer: names === null ? namesAlone(fd) : columnsOf(fd, unpackNames(names), mounts),
    transfer: [],
  }),
  { keeps: false },
)

function namesAlone(fd: number): ListAnswer {
  const { names, types } = readNamesAndTypes(fd)
  return { names: shareNames(names), sizes: NONE, modified: NONE, modes: shared(types) }
}

function columnsOf(fd: number, asked: PackedNames, mounts: readonly ListedMount[]): ListAnswer {
  const { names, sizes, modified, modes } = statNames(fd, asked, mounts)
  return { names: shareNames(packNames(names)), sizes: shared(sizes), modified: shared(modified), modes: shared(modes) }
}
