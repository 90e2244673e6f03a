import type { Member } from './walk.ts'

/** What lies around the bytes of each member. Every length follows from name, size and place alone, so that the whole can be laid out unread. */
export interface Frame {
  readonly mediaType: string
  headLength(member: Member): number
  head(member: Member): Uint8Array
  tailLength(member: Member): number
  /** @param crc of the bytes; 0 where the format has none */
  tail(member: Member, crc: number): Uint8Array
  /** One record for each member after the last; 0 bytes where the format has none. */
  directoryLength(member: Member, offset: number): number
  directory(member: Member, place: { offset: number; crc: number }): Uint8Array
  endLength(directory: Directory): number
  end(directory: Directory): Uint8Array
}

export interface Directory {
  /** Members. */
  readonly count: number
  /** Where the records begin, in bytes from the beginning. */
  readonly start: number
  /** Of all records, in bytes. */
  readonly length: number
}
