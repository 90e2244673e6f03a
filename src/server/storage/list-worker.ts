import { shared } from '../../shared/column.ts'
import { type NameBytes, packNames, shareNames, unpackNames } from '../../shared/packed-names.ts'
import { answerRequests } from '../threads/threads.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { type ListedMount, statNames } from './listing.ts'
import type { PlainColumns } from './plain-columns.ts'
import type { Columns } from './storage.ts'

export interface ListAsk {
  /** All threads of a process share descriptors; the caller keeps it open. */
  readonly fd: number
  /** The names to stat; null requests the names. */
  readonly names: NameBytes | null
  /** Mount points that must not be accessed. */
  readonly mounts: readonly ListedMount[]
  readonly identities: boolean
}

/** The existing names with their columns, or, if no names were given, only with the known bits of their modes. */
export type ListAnswer = PlainColumns

const NONE = new Float64Array()

answerRequests(
  ({ fd, names, mounts, identities }: ListAsk) => ({
    answer: names === null ? namesAlone(fd) : columnsOf(statNames(fd, unpackNames(names), mounts, { identities })),
    transfer: [],
  }),
  { keeps: false },
)

function namesAlone(fd: number): ListAnswer {
  const { names, types } = readNamesAndTypes(fd)
  return { names: shareNames(names), sizes: NONE, modified: NONE, modes: shared(types) }
}

function columnsOf({ names, sizes, modified, modes, identities }: Columns): ListAnswer {
  return {
    names: shareNames(packNames(names)),
    sizes: shared(sizes),
    modified: shared(modified),
    modes: shared(modes),
    ...(identities !== undefined && { identities: shareNames(packNames(identities)) }),
  }
}
