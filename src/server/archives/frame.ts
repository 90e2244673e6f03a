import type { Member } from './walk.ts'

/**
 * What surrounds the bytes of each member. Every length follows from name, size and position alone, so that the whole archive can be laid out without
 * reading files.
 */
export interface Frame {
  readonly mediaType: string
  headLength(member: Member): number
  head(member: Member): Uint8Array
  tailLength(member: Member): number
  /** @param crc of the bytes; 0 where the format has none */
  tail(member: Member, crc: number): Uint8Array
  /** One record for each member, after the last one; 0 bytes if the format has none. */
  directoryLength(member: Member, offset: number): number
  directory(member: Member, place: { offset: number; crc: number }): Uint8Array
  endLength(directory: Directory): number
  end(directory: Directory): Uint8Array
}

export interface Directory {
  /** Members. */
  readonly count: number
  /** Offset of the records from the beginning, in bytes. */
  readonly start: number
  /** Length of all records, in bytes. */
  readonly length: number
}
