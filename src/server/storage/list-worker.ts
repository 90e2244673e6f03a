import { shared } from '../../shared/column.ts'
import { type NameBytes, type PackedNames, packNames, shareNames, unpackNames } from '../../shared/packed-names.ts'
import { answerRequests } from '../threads/threads.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { type ListedMount, statNames } from './listing.ts'
import type { Columns } from './storage.ts'

export interface ListAsk {
  /** All threads of a process share descriptors; the caller keeps it open. */
  readonly fd: number
  /** The names to stat; null requests the names. */
  readonly names: NameBytes | null
  /** Mount points that must not be accessed. */
  readonly mounts: readonly ListedMount[]
}

/** The existing names with their columns, or, if no names were given, only with the known bits of their modes. */
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
