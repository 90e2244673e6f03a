import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { largestFirst } from '../../shared/largest-first.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import type { Dropper } from './dropper.ts'
import type { VersionStore } from './store.ts'

/** The room that versions may take on each disk: beyond that the oldest of the person who replaced most are removed. */
export type Room = ReturnType<typeof createRoom>

export interface RoomDeps {
  readonly storage: Storage
  readonly store: VersionStore
  readonly dropper: Dropper
  readonly settings: SettingsReader
  readonly log: (line: string) => void
}

/** Files are replaced one after the other: the share is looked at once for many. */
const AFTER_MS = 2000
/** For so long the size of a disk is taken for known. */
const SIZE_KNOWN_MS = 60_000

export function createRoom({ storage, store, dropper, settings, log }: RoomDeps) {
  const oneByOne = createKeyedMutex()
  const disks = new Map<FilePath, { total: number; until: number }>()
  /** As last counted, with what has been added since. */
  const taken = new Map<FilePath, number>()
  /** As last asked for, which is before each that is added. */
  const most = new Map<FilePath, number>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  async function mostBytesOn(volume: FilePath): Promise<number> {
    const known = disks.get(volume)
    const isKnown = known !== undefined && performance.now() < known.until
    const total = isKnown ? known.total : (await storage.space(volume)).total
    if (!isKnown) disks.set(volume, { total, until: performance.now() + SIZE_KNOWN_MS })
    const bytes = (total * (await settings.read()).versionShare) / 100
    most.set(volume, bytes)
    return bytes
  }

  async function removeOldest(volume: FilePath, by: string, bytes: number): Promise<void> {
    for (let left = bytes; left > 0 && !stopping.signal.aborted;) {
      const ids: string[] = []
      for (const { id, size } of await store.oldest(volume, by)) {
        if (left <= 0) break
        ids.push(id)
        left -= size
      }
      if (!(await store.drop({ ids }))) break
      await dropper.run()
    }
  }

  async function keepShares(): Promise<void> {
    for (const { volume, holders } of await store.keptBytes()) {
      const bytes = [...holders.values()].reduce((sum, held) => sum + held, 0)
      taken.set(volume, bytes)
      // A disk that is not there now keeps what it has.
      const allowed = await mostBytesOn(volume).catch(() => Infinity)
      if (bytes <= allowed) continue
      for (const [by, wanted] of largestFirst(holders, bytes - allowed)) await removeOldest(volume, by, wanted)
      taken.delete(volume)
    }
    await dropper.run()
  }

  const check = (): Promise<void> => oneByOne('share', keepShares)

  function checkSoon(): void {
    if (stopping.signal.aborted) return
    timer ??= setTimeout(() => {
      timer = null
      running = check().catch((error: unknown) => log(`versions: ${String(error)}`))
    }, AFTER_MS)
  }

  return {
    /** Whether versions of that size are kept at all. */
    fits: async (volume: FilePath, bytes: number): Promise<boolean> => bytes <= (await mostBytesOn(volume)),

    /** Something is kept. If that is too much now, the oldest go soon, in the background. */
    added(volume: FilePath, bytes: number): void {
      const before = taken.get(volume)
      taken.set(volume, (before ?? 0) + bytes)
      if (before === undefined || before + bytes > (most.get(volume) ?? 0)) checkSoon()
    },

    /** Removes what is too much now; call it periodically. */
    check,

    async stop(): Promise<void> {
      stopping.abort()
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
