import type { Storage } from '../storage/storage.ts'
import type { StoredVersion, VersionStore } from './store.ts'

/** Brings versions that were intended in step with the disk, which knows whether their files have been replaced. */
export type Settlement = ReturnType<typeof createSettlement>

export interface SettlementDeps {
  readonly storage: Storage
  readonly store: VersionStore
  readonly log: (line: string) => void
}

/** Settles many at once in the background; a save does not wait for it. */
const AFTER_MS = 500
const MOST_WAITING = 500

export function createSettlement({ storage, store, log }: SettlementDeps) {
  let waiting: StoredVersion[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> = Promise.resolve()

  /** Null if nothing is kept, or only what is still the file: it has not been replaced then. */
  async function contentOf({ file, kept }: StoredVersion) {
    const stat = await storage.statKept(kept)
    if (stat === null) return null
    const current = file === null ? null : await storage.stat(file)
    return current?.identity === stat.identity ? null : stat
  }

  async function forget(version: StoredVersion): Promise<void> {
    await storage.dropKept(version.kept)
    await store.forget([version.id])
  }

  async function settle(versions: readonly StoredVersion[]): Promise<void> {
    const done: string[] = []
    for (const version of versions) {
      try {
        const stat = await contentOf(version)
        if (stat === null) await forget(version)
        else {
          // Somebody else may have replaced the file just before.
          if (stat.identity !== version.identity || stat.size !== version.size) await store.correct(version.id, stat)
          done.push(version.id)
        }
      } catch (error) {
        log(`versions: ${version.id} will be settled later: ${String(error)}`)
      }
    }
    await store.settle(done)
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const some = waiting
    waiting = []
    running = running
      .then(() => (some.length === 0 ? undefined : settle(some)))
      .catch((error: unknown) => log(`versions: ${some.length} will be settled later: ${String(error)}`))
    return running
  }

  return {
    /** Its file has been replaced: to be settled soon. */
    add(version: StoredVersion): void {
      waiting.push(version)
      if (waiting.length >= MOST_WAITING) void flush()
      else timer ??= setTimeout(() => void flush(), AFTER_MS)
    },

    /** After a failure, which may have come before or after the replacement. Does not fail itself. */
    settleNow: (version: StoredVersion): Promise<void> =>
      settle([version]).catch((error: unknown) => log(`versions: ${version.id} will be settled later: ${String(error)}`)),

    /** Of one that is not settled. */
    isDone: async (version: StoredVersion): Promise<boolean> => (await contentOf(version)) !== null,

    /** Settles what a server that died has left. @param options.before versions that began earlier have no running server any more; milliseconds since 1970 */
    async settleStale({ before }: { before: number }): Promise<void> {
      for (let last = ''; ;) {
        const some = await store.unsettled('intended', last)
        await settle(some.filter(({ at }) => at < before))
        const next = some.at(-1)?.id
        if (next === undefined) return
        last = next
      }
    },

    settled: flush,
  }
}
