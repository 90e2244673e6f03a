import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Storage } from '../storage/storage.ts'
import type { StoredVersion, VersionStore } from './store.ts'

/** Removes versions that are marked as `dropping`, which nobody sees any more. What is interrupted is continued later. */
export type Dropper = ReturnType<typeof createDropper>

export interface DropperDeps {
  readonly storage: Storage
  readonly store: VersionStore
  readonly log: (line: string) => void
}

export function createDropper({ storage, store, log }: DropperDeps) {
  const oneByOne = createKeyedMutex()
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function drop({ id, kept }: Pick<StoredVersion, 'id' | 'kept'>): Promise<boolean> {
    try {
      await storage.dropKept(kept, { signal: stopping.signal })
      return true
    } catch (error) {
      if (!stopping.signal.aborted) log(`versions: ${id} cannot be removed yet: ${String(error)}`)
      return false
    }
  }

  async function dropAll(): Promise<void> {
    const pause = periodicYield()
    for (let last = ''; !stopping.signal.aborted;) {
      const some = await store.unsettled('dropping', last)
      const gone: string[] = []
      for (const version of some) if (!stopping.signal.aborted && (await drop(version))) gone.push(version.id)
      await store.forget(gone)
      await pause()
      const next = some.at(-1)?.id
      if (next === undefined) return
      last = next
    }
  }

  const run = (): Promise<void> => oneByOne('drop', dropAll)

  return {
    /** One that was marked. */
    async dropOne(version: Pick<StoredVersion, 'id' | 'kept'>): Promise<void> {
      if (await drop(version)) await store.forget([version.id])
    },

    run,

    /** The same in the background. */
    start(): void {
      running = run().catch((error: unknown) => log(`versions: not everything could be removed: ${String(error)}`))
    },

    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
