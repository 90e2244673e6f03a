import { join } from 'node:path'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { NO_CACHE } from '../../src/server/previews/cache.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { createWorld } from '../../src/server/world.ts'
import { HOUR_MS } from '../contract/world.ts'

/**
 * The program's own tidying, a day later, when only the resumable uploads have shown a sign of life.
 * @returns what is staged all the same, and belongs to none of them
 */
export async function sweepADayLater(home: string): Promise<string[]> {
  let ahead = 0
  const clock = (): Date => new Date(Date.now() + ahead)
  const db = await openDatabase({ file: join(home, 'data/satchel.db') }, { clock })
  const storage = createLocalStorage(join(home, 'root'))
  const adapters = { storage, db, bus: createMemoryBus(), clock, log: () => {}, sandbox: createBubblewrap(), pictures: NO_CACHE }
  const previews = { thumbnails: true, previewResize: true, imageProcessors: 1 }
  const world = createWorld(adapters, { baseUrl: '', typeDetectionByHeader: true, sessionLifetimeMs: HOUR_MS, ...previews })
  await world.tidy()
  ahead = 25 * HOUR_MS
  const live = await db.selectFrom('uploads').select('id').where('lease', 'is distinct from', 'finished').execute()
  for (const { id } of live) await world.uploads.store.touch(id, clock().getTime())
  await world.tidy()
  const staged = await storage.staged()
  await world.stop()
  return staged.filter((name) => !live.some(({ id }) => id === name))
}
