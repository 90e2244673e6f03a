/** What a reservation is for: an upload, as long as that exists; or a request, as long as its server works on it. */
export type ReservedFor = 'upload' | 'request'

/** PORT: the room that quotas leave one person. */
export interface Room {
  /** Whether there is a quota at all. */
  isLimited(): Promise<boolean>
  /**
   * Reserves room for what was announced, before its bytes are received. Fails with `quota-exceeded`.
   * @param id of the upload; staged files that name it take their room from it
   */
  reserve(id: string, amount: { readonly bytes: number; readonly files: number }, purpose: ReservedFor): Promise<void>
  release(id: string): Promise<void>
}

/** For the server's own work. */
export const NO_ROOM: Room = { isLimited: async () => false, reserve: async () => undefined, release: async () => undefined }
