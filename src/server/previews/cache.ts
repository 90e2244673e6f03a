import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rendition } from './picture.ts'

/** A cache of generated pictures and PDFs. A lost one is generated again, so disk errors are not errors here. */
export interface PictureCache {
  get(key: string): Promise<Rendition | null>
  put(key: string, made: Rendition): Promise<void>
  /** Removes pictures that were not used for a long time, and the least recently used beyond the limit. */
  sweep(): Promise<void>
}

export const NO_CACHE: PictureCache = { get: async () => null, put: async () => {}, sweep: async () => {} }

const EXTENSIONS: Record<Rendition['type'], string> = { 'image/jpeg': '.jpg', 'image/webp': '.webp', 'application/pdf': '.pdf' }
const UNFINISHED = '.part'
const DAY_MS = 24 * 3600_000

export interface CacheOptions {
  readonly limitBytes: number
  readonly clock: () => Date
  /** Pictures not used for this long are removed: the file may have gone too. */
  readonly keepMs?: number
}

/** In a local folder that only this account can read. */
export function createPictureCache(folder: string, { limitBytes, clock, keepMs = 30 * DAY_MS }: CacheOptions): PictureCache {
  const placeOf = (key: string): string => join(folder, key.slice(0, 2))
  let written = 0

  async function sweep(): Promise<void> {
    written = 0
    const found = await listFiles(folder)
    let total = found.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size, used } of found.toSorted((a, b) => a.used - b.used)) {
      const age = clock().getTime() - used
      const isOld = age > (path.endsWith(UNFINISHED) ? DAY_MS : keepMs)
      if (total <= limitBytes && !isOld) continue
      await rm(path, { force: true })
      total -= size
    }
  }

  return {
    async get(key) {
      for (const type of ['image/jpeg', 'image/webp', 'application/pdf'] as const) {
        const path = join(placeOf(key), key + EXTENSIONS[type])
        const bytes = await readFile(path).catch(() => null)
        if (bytes === null) continue
        const now = clock()
        void utimes(path, now, now).catch(() => undefined)
        return { type, bytes }
      }
      return null
    },
    async put(key, { type, bytes }) {
      const unfinished = join(placeOf(key), randomUUID() + UNFINISHED)
      try {
        await mkdir(placeOf(key), { recursive: true, mode: 0o700 })
        await writeFile(unfinished, bytes, { mode: 0o600 })
        await rename(unfinished, join(placeOf(key), key + EXTENSIONS[type]))
      } catch {
        await rm(unfinished, { force: true }).catch(() => undefined)
        return
      }
      written += bytes.length
      if (written > limitBytes / 10) await sweep()
    },
    sweep,
  }
}

async function listFiles(folder: string): Promise<{ path: string; size: number; used: number }[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const all = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const one = await stat(path).catch(() => null)
      return one?.isFile() ? { path, size: one.size, used: one.mtimeMs } : null
    }),
  )
  return all.filter((one) => one !== null)
}
