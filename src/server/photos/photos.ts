import type { PhotoFacts } from '../../shared/contract/photos.ts'
import { nullOn } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { extensionOf, fileType } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { type FactStore, type FileVersion, shownSize } from './fact-store.ts'
import { type FoundFacts, NOTHING_FOUND, type Taken } from './found-facts.ts'
import { readFacts } from './read-facts.ts'
import { takenByName } from './times.ts'

/** Reading is short, and mostly waiting for the disk. */
const READS_AT_ONCE = 4
const MOST_WAITING = 200
const LONGEST_WAIT_MS = 10_000

export type Photos = ReturnType<typeof createPhotos>

export interface ReadPhoto {
  readonly version: FileVersion
  readonly facts: FoundFacts
}

/** Facts of photos and films, from the cache or their files. */
export function createPhotos({ store }: { store: FactStore }) {
  const reads = createSemaphore({ slots: READS_AT_ONCE, waiting: MOST_WAITING })

  return {
    store,
    /** Fails as `Drive.open`. */
    async facts(drive: Drive, path: FilePath, { clientKey, signal }: { clientKey: string; signal: AbortSignal }): Promise<PhotoFacts> {
      const work = async (): Promise<ReadPhoto> => {
        await using file = await drive.open(path)
        const version = file.stat
        if (!isPhoto(nameOf(path))) return { version, facts: NOTHING_FOUND }
        const known = await store.read(version)
        if (known !== null) return { version, facts: known }
        const facts = await readFacts((start, length) => file.peek(start, length), version.size)
        await store.keep([{ version, facts }])
        return { version, facts }
      }
      const { version, facts } = await reads.run(clientKey, work, { signal, maxWaitMs: LONGEST_WAIT_MS })
      const { orientation: _, taken: __, ...others } = facts
      return { ...others, ...shownSize(facts), ...takenOf(facts.taken, { name: nameOf(path), modified: version.modified }) }
    },

    /** Reads a file and keeps nothing; null if it cannot be read, or no longer. */
    async read(drive: Drive, path: FilePath, { clientKey, signal }: { clientKey: string; signal: AbortSignal }): Promise<ReadPhoto | null> {
      const work = async (): Promise<ReadPhoto> => {
        await using file = await drive.open(path)
        return { version: file.stat, facts: await readFacts((start, length) => file.peek(start, length), file.stat.size) }
      }
      const read = reads.run(clientKey, work, { signal })
      return nullOn('not-found', nullOn('forbidden', nullOn('invalid-input', nullOn('download-refused', read))))
    },
  }
}

/** When a file was taken as far as anybody knows: by itself, its name, or its mtime. */
export function takenOf(
  taken: Taken | null,
  { name, modified }: { name: string; modified: number },
): Pick<PhotoFacts, 'taken' | 'offset' | 'takenFrom'> {
  if (taken !== null) return { taken: taken.local, offset: taken.offset, takenFrom: 'file' }
  const named = takenByName(name)
  if (named !== null) return { taken: named.local, offset: named.offset, takenFrom: 'name' }
  return { taken: modified, offset: 0, takenFrom: 'modified' }
}

/** Drawings and icons are no photos. */
const DRAWN = new Set(['svg', 'svgz', 'ico', 'cur', 'xbm', 'xpm', 'dib'])

/** By its name, as everywhere where nothing is read. */
export function isPhoto(name: string): boolean {
  const type = fileType(name)
  return type === 'video' || (type === 'image' && !DRAWN.has(extensionOf(name).slice(1).toLowerCase()))
}
