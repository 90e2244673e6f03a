import { fail } from '../../shared/errors.ts'
import { type FilePath, segmentsOf } from '../../shared/file-path.ts'
import { compareNames } from '../../shared/natural-order.ts'
import type { Access } from '../access/access.ts'
import { type Drive, openDrive } from '../drive/drive.ts'
import type { InSnapshot, Snapshot, SnapshotStorages } from '../storage/storage.ts'
import { readOnly } from './read-only.ts'

/** Older ones are left out. */
const MOST_SNAPSHOTS = 2000
/** How long the list of snapshots is cached. */
const LIST_MS = 5000
/** How long a caller waits for the disk; what was not looked at by then is left out. */
const LOOK_MS = 2000
/** Questions to the disk at a time, */
const PARALLEL = 4
/** each about so many snapshots. */
const AT_ONCE = 25

/** A snapshot with its id: the time and the name, so that a folder that was renamed meanwhile is not taken for another. */
export interface ListedSnapshot extends Snapshot {
  readonly id: string
}

export interface Looked {
  /** The newest first; only those that have such a node. */
  readonly found: readonly (InSnapshot & { readonly snapshot: ListedSnapshot })[]
  /** Snapshots that were not looked at, because the disk was too slow; 1 if it is not even known which there are. */
  readonly unknown: number
}

/** What a viewer sees of a snapshot: a Drive without any right but to download. */
export interface OpenSnapshot extends Disposable {
  readonly drive: Drive
}

/** The snapshots of the served folder, read-only. Nothing of this is called if the server has none. */
export interface Snapshots {
  /** Whether the operator says where snapshots are. */
  readonly isOn: boolean
  /** The newest first. */
  list(): Promise<readonly ListedSnapshot[]>
  /**
   * A storage path in all snapshots, no link followed. For whom has no say here: only ask for paths that the viewer may see now, and get names and
   * content by `open`.
   */
  look(path: FilePath): Promise<Looked>
  /**
   * The served folder as it was then, by rules, scope and hidden names of now. Dispose it when nothing is read by its Drive any more; open files
   * remain open. Fails with `not-found` if the snapshot is gone.
   */
  open(id: string, access: Access): Promise<OpenSnapshot>
  stop(): Promise<void>
}

export const NO_SNAPSHOTS: Snapshots = {
  isOn: false,
  list: async () => [],
  look: async () => ({ found: [], unknown: 0 }),
  open: async () => fail('not-found', {}),
  stop: async () => undefined,
}

/** @param options.lookMs for tests: how long a caller waits for the disk */
export function createSnapshots(storages: SnapshotStorages, { lookMs = LOOK_MS }: { lookMs?: number } = {}): Snapshots {
  let listing: { readonly since: number; readonly all: Promise<readonly ListedSnapshot[]> } | null = null

  async function read(): Promise<readonly ListedSnapshot[]> {
    const newest = (await storages.list()).toSorted((a, b) => b.at - a.at || compareNames(b.name, a.name)).slice(0, MOST_SNAPSHOTS)
    return newest.map(({ name, at }) => ({ name, at, id: `${at}:${name}` }))
  }

  function list(): Promise<readonly ListedSnapshot[]> {
    if (listing === null || performance.now() - listing.since > LIST_MS) {
      const all = read()
      const mine = { since: performance.now(), all }
      listing = mine
      all.catch(() => void (listing === mine && (listing = null)))
    }
    return listing.all
  }

  return {
    isOn: true,
    list,
    async look(path) {
      const late = Promise.withResolvers<null>()
      const timer = setTimeout(() => late.resolve(null), lookMs)
      try {
        const all = await Promise.race([list(), late.promise])
        if (all === null) return { found: [], unknown: 1 }
        const looked = new Map<ListedSnapshot, InSnapshot | null>()
        const rest = [...all]
        let isLate = false

        const lookOn = async (): Promise<void> => {
          for (let some = rest.splice(0, AT_ONCE); some.length > 0; some = rest.splice(0, AT_ONCE)) {
            const names = some.map(({ name }) => name)
            const found = await storages.look(names, segmentsOf(path))
            if (!isLate) for (const [i, snapshot] of some.entries()) looked.set(snapshot, found[i] ?? null)
          }
        }
        await Promise.race([Promise.all(Array.from({ length: PARALLEL }, lookOn)), late.promise])
        isLate = true
        rest.length = 0
        const found = all.flatMap((snapshot) => {
          const node = looked.get(snapshot) ?? null
          return node === null ? [] : [{ ...node, snapshot }]
        })
        return { found, unknown: all.length - looked.size }
      } finally {
        clearTimeout(timer)
      }
    },
    async open(id, access) {
      const { name } = (await list()).find((one) => one.id === id) ?? fail('not-found', {})
      const { storage, release } = await storages.open(name)
      return { drive: openDrive(storage, readOnly(access)), [Symbol.dispose]: release }
    },
    async stop() {
      storages.stop()
    },
  }
}
