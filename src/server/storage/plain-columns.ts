import { type NameBytes, packNames, unpackNames } from '../../shared/packed-names.ts'
import type { Columns } from './storage.ts'

/** Columns that can be sent between threads, which cannot send methods. */
export type PlainColumns = Omit<Columns, 'names' | 'identities'> & { readonly names: NameBytes; readonly identities?: NameBytes }

export function plainColumns({ names, identities, ...columns }: Columns): PlainColumns {
  return { ...columns, names: bytesOf(names), ...(identities !== undefined && { identities: bytesOf(identities) }) }
}

export function columnsFrom({ names, identities, ...columns }: PlainColumns): Columns {
  return { ...columns, names: unpackNames(names), ...(identities !== undefined && { identities: unpackNames(identities) }) }
}

function bytesOf(names: Columns['names']): NameBytes {
  const { bytes, starts } = packNames(names)
  return { bytes, starts }
}
