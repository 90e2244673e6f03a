import type { Keys } from './keys.ts'
import type { S3Objects } from './objects.ts'

/** A listing of everything costs a request for each thousand objects. */
const AGAIN_MS = 60 * 60_000
/** For the first count; later ones are made in the background. */
const MOST_WAIT_MS = 2000

/** The bytes of all objects, as they were counted within the last hour; while the first count takes longer, what it has counted so far. */
export function createUsedSpace(objects: S3Objects, keys: Keys): () => Promise<number> {
  let used: number | null = null
  let counted = 0
  let begunAt = -Infinity
  let counting: Promise<void> = Promise.resolve()

  async function count(): Promise<void> {
    counted = 0
    for await (const page of objects.pages(keys.root, { flat: true })) for (const { size } of page.objects) counted += size
    used = counted
  }

  return async () => {
    if (performance.now() - begunAt > AGAIN_MS) {
      begunAt = performance.now()
      counting = count().catch(() => void (begunAt = -Infinity))
    }
    if (used === null) await Promise.race([counting, Bun.sleep(MOST_WAIT_MS)])
    return used ?? counted
  }
}
