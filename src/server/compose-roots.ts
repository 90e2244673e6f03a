import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Root } from '../shared/contract/roots.ts'
import { nullOn } from '../shared/errors.ts'
import { type FilePath, joinPath, pathFrom, ROOT, segmentsOf } from '../shared/file-path.ts'
import type { Bus } from './bus/bus.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import type { RootSpec } from './config/kinds.ts'
import type { Schema } from './db/schema.ts'
import { createLocalIndex } from './index/local-index.ts'
import { type AttachedIndex, createAttachedIndex, createRootedIndex } from './index/rooted-index.ts'
import type { TreeIndex } from './index/tree-index.ts'
import { createRootStore, type RootStore } from './roots/store.ts'
import { createLocalStorage } from './storage/local.ts'
import { descriptorPath } from './storage/proc-paths.ts'
import { readOnly } from './storage/read-only-storage.ts'
import { createRemovableStorage } from './storage/removable-storage.ts'
import { createRootConnection } from './storage/root-connection.ts'
import { createRootedStorage } from './storage/rooted-storage.ts'
import type { Storage } from './storage/storage.ts'

export interface RootsDeps {
  readonly config: Config
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  readonly bus: Bus
  readonly log: (line: string) => void
  readonly main: { readonly storage: Storage; readonly index: TreeIndex }
}

/** All roots as one storage and one index: those of the main root alone, if there is no other. */
export interface OpenRoots {
  readonly storage: Storage
  readonly index: TreeIndex
  /** Names of further roots, which hide what the main one has under them. */
  readonly names: readonly string[]
  list(): Promise<readonly Root[]>
  /** The path of this machine by which programs find a storage path; null for the main root. Fails with `storage-busy` if it is away. */
  localPlaceOf(place: FilePath): string | null
  stop(): void
}

/** How long a list of the roots waits for the free space of each. */
const SPACE_MS = 500

/** A further root in use. */
interface OpenRoot {
  readonly spec: RootSpec
  readonly storage: Storage
  readonly index: AttachedIndex
  readonly isAway: () => boolean
  /** Looks whether it is there, if nobody has for a second. */
  readonly refresh: () => Promise<boolean>
  readonly place: () => string
  readonly stop: () => void
}

/** All roots for a command, which changes nothing in the further ones: only the server knows by which marks they are recognised. */
export function storageForCommands(main: Storage, specs: readonly RootSpec[]): Storage {
  if (specs.length === 0) return main
  const roots = specs.map(({ name, address }) => {
    const remember = async (mark: string): Promise<string> => mark
    const connection = createRootConnection({
      path: address,
      open: (top) => createLocalStorage(top),
      known: null,
      remember,
      mayMark: false,
    })
    return { name, storage: readOnly(createRemovableStorage(connection)), isReadOnly: true, isAway: connection.isAway }
  })
  return createRootedStorage({ main, roots })
}

/**
 * Throws `ConfigError` if a new root would hide something of the main one. What another program puts there later is hidden, and logged: it does not keep
 * the server from starting.
 */
export async function refuseHiding({ config, db, clock, log }: Pick<RootsDeps, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  const store = createRootStore({ db, clock })
  for (const { name, address } of config.roots) {
    if (lstatSync(join(config.root, name), { throwIfNoEntry: false }) === undefined) continue
    if ((await store.markOf(name, address)) === null)
      throw new ConfigError(`--roots ${name}=${address}: ${config.root} has a ${name} itself, which would be hidden; rename one of them`)
    log(`roots: ${join(config.root, name)} is hidden by the root of that name; rename it to see what is in it`)
  }
}

/** Opens the roots of the configuration. */
export async function openRoots(deps: RootsDeps): Promise<OpenRoots> {
  const { config, main } = deps
  const store = createRootStore(deps)
  const open: OpenRoot[] = []
  for (const spec of config.roots) open.push(await openRootOf(spec, { ...deps, store }))
  await Promise.all(open.map(({ refresh }) => refresh()))

  const whole =
    open.length === 0
      ? main
      : {
          storage: createRootedStorage({
            main: main.storage,
            roots: open.map(({ spec, storage, isAway }) => ({ name: spec.name, storage, isReadOnly: spec.isReadOnly, isAway })),
          }),
          index: config.disableIndex
            ? main.index
            : createRootedIndex({ main: main.index, roots: open.map(({ spec, ...root }) => ({ ...root, name: spec.name })) }),
        }

  async function told({ spec, refresh, storage }: OpenRoot): Promise<Root> {
    const isThere = await refresh()
    const space = isThere ? await Promise.race([nullOn('storage-busy', storage.space(ROOT)), Bun.sleep(SPACE_MS).then(() => null)]) : null
    const { name, kind, address, isReadOnly } = spec
    const state = isThere ? 'connected' : 'away'
    return { name, kind, address, readOnly: isReadOnly, state, total: space?.total ?? null, used: space?.used ?? null }
  }

  return {
    ...whole,
    names: config.roots.map(({ name }) => name),
    async list() {
      const space = await nullOn('storage-busy', main.storage.space(ROOT))
      const own = { name: '', kind: 'local', address: config.root, readOnly: false, state: 'connected' } as const
      return [{ ...own, total: space?.total ?? null, used: space?.used ?? null }, ...(await Promise.all(open.map(told)))]
    },
    localPlaceOf(place) {
      const [first = ''] = segmentsOf(place)
      const root = open.find(({ spec }) => spec.name === first)
      if (root === undefined) return null
      const below = pathFrom(joinPath(ROOT, first), place) ?? ROOT
      return below === ROOT ? root.place() : join(root.place(), below)
    },
    stop() {
      for (const root of open) root.stop()
    },
  }
}

/** The only place that makes the storage of a further root, by its kind. */
async function openRootOf(spec: RootSpec, { store, bus, log, config }: RootsDeps & { store: RootStore }): Promise<OpenRoot> {
  const { name, address, isReadOnly } = spec
  const top = joinPath(ROOT, name)
  const file = join(config.dataDir, 'index', `root-${Buffer.from(name).toString('base64url')}`)
  const index = createAttachedIndex((folder) => createLocalIndex({ root: folder, file, bus, log, top }))
  const connection = createRootConnection({
    path: address,
    open: (opened) => createLocalStorage(opened),
    known: await store.markOf(name, address),
    remember: (mark) => store.remember({ name, address, mark }),
    mayMark: !isReadOnly,
    onChange(state, fd) {
      log(state === 'connected' ? `roots: ${name} is connected (${address})` : `roots: ${name} is away (${address})`)
      bus.announce('files.changed', { storagePaths: [top] })
      if (!config.disableIndex) index.attach(fd === null ? null : descriptorPath(fd))
    },
  })
  const storage = createRemovableStorage(connection)
  if (!(await connection.refresh()))
    log(`roots: ${name} is away: ${address} is missing, or is not the folder that it was before (docs/roots.md)`)
  return {
    spec,
    storage: isReadOnly ? readOnly(storage) : storage,
    index,
    isAway: connection.isAway,
    refresh: connection.refresh,
    place: connection.place,
    stop: connection.stop,
  }
}
