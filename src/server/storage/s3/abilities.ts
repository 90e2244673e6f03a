import type { Keys } from './keys.ts'
import { isFailure } from './failures.ts'
import type { S3Objects } from './objects.ts'

/** What a service does with the condition that a key must be free: some ignore it, and overwrite. */
export interface Abilities {
  readonly conditionalPut: boolean
  readonly conditionalCopy: boolean
}

interface AbilitiesDeps {
  readonly objects: S3Objects
  readonly keys: Keys
  readonly log: (line: string) => void
}

/** Tries it out with an object of its own, when it is asked for the first time. After a failure, the next call tries again. */
export function createAbilities({ objects, keys, log }: AbilitiesDeps): () => Promise<Abilities> {
  const key = keys.hidden('probe')
  let known: Promise<Abilities> | null = null

  /** Whether a request is refused because the key is used. */
  async function isRefused(request: () => Promise<unknown>): Promise<boolean> {
    try {
      await request()
      return false
    } catch (error) {
      if (isFailure(error, 412)) return true
      // A service that does not know the condition may refuse the whole request.
      if (isFailure(error, 400, 501)) return false
      throw error
    }
  }

  async function probe(): Promise<Abilities> {
    const empty = new Uint8Array(0)
    const put = (): Promise<boolean> => isRefused(() => objects.put(key, empty, { isNew: true }))
    // The object remains, so that later starts need one request.
    const conditionalPut = (await put()) || (await put())
    if (!conditionalPut) await objects.put(key, empty)
    const object = await objects.head(key)
    const headers = { 'x-amz-metadata-directive': 'REPLACE' }
    const conditionalCopy = object !== null && (await isRefused(() => objects.copy(object, key, { isNew: true, headers })))
    if (!conditionalPut)
      log('S3: this service ignores If-None-Match, so that only what goes through Satchel is safe from being overwritten')
    return { conditionalPut, conditionalCopy }
  }

  return () => {
    known ??= probe().catch((error: unknown) => {
      known = null
      throw error
    })
    return known
  }
}
