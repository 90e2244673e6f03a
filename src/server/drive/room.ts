import type { FilePath } from '../../shared/file-path.ts'

/**
 * What a reservation is for: an upload, as long as that exists; or a request, as long as its server works on it. For an upload of a visitor it is only
 * checked whether there is room: bytes are reserved as they arrive.
 */
export type ReservedFor = 'upload' | 'visit' | 'request'

/** A file that is going to be stored. */
export interface ExpectedFile {
  /** Of the storage, links resolved as far as it exists. */
  readonly path: FilePath
  readonly bytes: number
  /** Size of the file that it replaces; null if it replaces none. */
  readonly old: number | null
}

/** PORT: the room that quotas leave one person. */
export interface Room {
  /** Whether there is a quota at all. */
  isLimited(): Promise<boolean>
  /**
   * Reserves room for what was announced, before its bytes are received. Fails with `quota-exceeded`, or `storage-full` for somebody who does not
   * learn the numbers.
   * @param id of the upload; staged files that name it take their room from it
   */
  reserve(id: string, files: readonly ExpectedFile[], purpose: ReservedFor): Promise<void>
  release(id: string): Promise<void>
}

/** For the server's own work. */
export const NO_ROOM: Room = { isLimited: async () => false, reserve: async () => undefined, release: async () => undefined }
