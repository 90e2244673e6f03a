import { closeSync, realpathSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { version } from '../../package.json'
import { COOKIE, createApp } from './app.ts'
import { upgradesIn } from './backup/before-upgrade.ts'
import { createMemoryBus } from './bus/memory.ts'
import { createPostgresBus } from './bus/postgres.ts'
import { orElse } from '../shared/errors.ts'
import { type FilePath, joinPath, parseFilePath, ROOT } from '../shared/file-path.ts'
import type { Access } from './access/access.ts'
import type { Exec } from './commands/sandbox-mount.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import { databaseLocationOf } from './config/database-location.ts'
import { isShared } from './db/database-kind.ts'
import { clockOf, openDatabase, peersOf } from './db/database.ts'
import { type Drive, openDrive } from './drive/drive.ts'
import { HOME } from './entries/entries.ts'
import { createLocalIndex } from './index/local-index.ts'
import { NO_INDEX } from './index/tree-index.ts'
import { createOwnOrigin } from './http/own-origin.ts'
import { mountPage } from './http/page.ts'
import { isBrandedFile, mountStatic } from './http/static.ts'
import { type OpenRoots, openRoots, refuseHiding, storageForCommands } from './compose-roots.ts'
import type { ComposeOptions, World as Served } from './serve.ts'
import { signInProblem } from './sessions/sign-in-problem.ts'
import { pageConfig } from './settings/page-config.ts'
import { createUnsandboxed } from './sandbox/unsandboxed.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createPictureCache, NO_CACHE, type PictureCache } from './previews/cache.ts'
import { type Bubblewrap, createBubblewrap } from './sandbox/bubblewrap.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { saveSetting } from './settings/store.ts'
import { createSnapshots, NO_SNAPSHOTS } from './snapshots/snapshots.ts'
import { createLocalSnapshots } from './storage/local-snapshots.ts'
import { hiddenBy, withoutSnapshots } from './storage/hidden-snapshots.ts'
import { createThreadExecutor } from './storage/thread-executor.ts'
import type { LookAtRoot } from './roots/look.ts'
import { createLocalStorage } from './storage/local.ts'
import { placeInRoot, snapshotPattern } from './storage/snapshot-pattern.ts'
import { ensureAdmin } from './users/first-admin.ts'
import { createPasswords } from './users/password.ts'
import { createWorld } from './world.ts'

const AS_ROOT =
  'this server runs as root, so what commands make belongs to root, and a flaw in the kernel would be root’s to use: give it an account of its own (docs/operating.md)'
const REACHED_BY_PATH =
  'lies below the served folder, where rules for the original paths do not apply to it: deny that folder by a rule (docs/operating.md)'
const WEB_DIR = join(HOME, 'dist/web')
/** Soon after the start as well: it takes two runs to tell leftovers from work in progress. */
const FIRST_TIDY_MS = 60_000
const TIDY_EVERY_MS = 10 * 60_000
/** About 100,000 thumbnails. */
const PICTURES_BYTES = 2 * 1024 ** 3

/** What is served, for a command, possibly while a server is running. Throws `ConfigError` if the main folder is missing. */
export function openRoot({ root, roots }: Pick<Config, 'root' | 'roots'>): (access: Access) => Drive {
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) throw new ConfigError(`--root ${root} is not a folder: create it, or name the served folder with --root`)
  const storage = storageForCommands(createLocalStorage(root), roots)
  return (access) => openDrive(storage, access)
}

/** What is where a root should be, for commands. */
export const lookAtRoot: LookAtRoot = async ({ address }, mark) => {
  const top = await createThreadExecutor().run('openTop', address, { make: false })
  if (top === null) return 'missing'
  closeSync(top.fd)
  if (mark === null) return 'new'
  return top.mark === mark ? 'connected' : 'another'
}

/** Why programs cannot run in a sandbox here, and which layer of it is missing if they can. */
export async function sandboxState(): Promise<{ problem: string | null; weakness: string | null }> {
  const sandbox = createBubblewrap()
  const problem = await sandbox.unavailable()
  return { problem, weakness: problem === null ? await sandbox.weakness() : null }
}

/** From a configuration to the running server: the only place that names adapters. */
export async function compose(config: Config, { log, password }: ComposeOptions): Promise<Served> {
  const place = databaseLocationOf(config.database)
  const upgrades = upgradesIn({ folder: join(config.dataDir, 'upgrades'), version, log })
  const db = await openDatabase(place, { clock: () => new Date(), server: { log }, upgrades })
  const clock = clockOf(db)
  try {
    await refuseHiding({ config, db, clock, log })
  } catch (error) {
    await db.destroy()
    throw error
  }
  await peersOf(db).start()
  const wholeStorage = createLocalStorage(config.root, isShared(db) ? { exclusively: peersOf(db).exclusively } : {})
  const sandbox = createBubblewrap()
  const passwords = createPasswords()
  const bus = isShared(db) ? createPostgresBus(peersOf(db)) : createMemoryBus()
  const pattern = config.snapshots === null ? null : snapshotPattern(config.snapshots, config.root)
  const snapshots = pattern === null ? NO_SNAPSHOTS : createSnapshots(createLocalSnapshots(pattern))
  const leftOut = pattern === null ? null : placeInRoot(pattern, config.root)
  const mainStorage = leftOut === null ? wholeStorage : withoutSnapshots(wholeStorage, leftOut)
  if (leftOut !== null && hiddenBy(leftOut) === null) log(`snapshots: ${config.snapshots} ${REACHED_BY_PATH}`)
  const mainIndex = config.disableIndex
    ? NO_INDEX
    : createLocalIndex({ root: config.root, file: join(config.dataDir, 'index', 'tree'), bus, log, leftOut })
  const roots = await openRoots({ config, db, clock, bus, log, main: { storage: mainStorage, index: mainIndex } })
  const { storage, index: treeIndex } = roots
  const { exec, problem } = await execOf(config, { sandbox, roots })
  if (problem !== null) log(`commands: ${problem}`)
  if (exec !== null && process.getuid?.() === 0) log(`commands: ${AS_ROOT}`)
  const metrics =
    config.metricsAddress === null
      ? null
      : createMetrics({ db, database: place, version, clock, hashing: passwords.load, indexed: treeIndex.state })
  const world = createWorld(
    { storage, db, bus, clock, log, sandbox, exec, passwords, treeIndex, snapshots, pictures: picturesOf(config, clock) },
    {
      baseUrl: config.baseURL,
      typeDetectionByHeader: !config.disableTypeDetectionByHeader,
      sessionLifetimeMs: config.tokenExpirationTime,
      searchLines: config.searchLines,
      thumbnails: !config.disableThumbnails,
      previewResize: !config.disablePreviewResize,
      imageProcessors: Math.min(config.imageProcessors, availableParallelism()),
      rootName: basename(config.root),
      listRoots: roots.list,
      webhookNetworks: config.webhookNetworks,
      ownPlaces: ownPlacesIn(config),
      publicOrigins: config.publicAddress,
    },
  )
  const { users, settings } = world
  // Former holders are dead: only one server uses this file at a time.
  if (!isShared(db)) await world.uploads.store.freeAll()
  if (config.noauth && !(await users.any())) await saveSetting(db, 'settings', JSON.stringify({ authMethod: 'noauth' }))
  const misfit = signInProblem(await settings.read(), config)
  if (misfit !== null) {
    await world.stop()
    throw new ConfigError(misfit)
  }
  const branding = async (): Promise<string | null> => (await settings.read()).branding.files || null

  const app = createApp(world, {
    logAll: config.logAll,
    hsts: !config.disableHsts,
    origins: createOwnOrigin({ publicOrigins: config.publicAddress, log }),
    framingSites: config.framingSites,
    commandProblem: problem,
    measure: metrics?.measure,
    webDir: WEB_DIR,
    mountRest(router) {
      mountStatic(router, { webDir: WEB_DIR, brandingDir: branding })
      mountPage(router, {
        sessionCookie: COOKIE,
        framingSites: config.framingSites,
        webDir: WEB_DIR,
        pageConfig: () => pageOf(),
        isOwn: async (name) => isBrandedFile(await branding(), name),
      })
    },
  })
  void tellOfSandbox(sandbox, log)
  void world.recover().catch((error: unknown) => log(`recovery failed: ${String(error)}`))
  world.directories.start()
  const tidy = () => void world.tidy().catch((error: unknown) => log(`tidying failed: ${String(error)}`))
  const tidying = [setTimeout(tidy, FIRST_TIDY_MS), setInterval(tidy, TIDY_EVERY_MS)]

  async function pageOf() {
    const folder = await branding()
    return pageConfig(await settings.read(), {
      baseUrl: config.baseURL,
      version,
      enableExec: exec !== null,
      enableThumbs: !config.disableThumbnails,
      resizePreview: !config.disablePreviewResize,
      snapshots: snapshots.isOn,
      providers: await world.providers.buttons(),
      directories: await world.directories.signIn.isOn(),
      customCss: folder !== null && (await Bun.file(join(folder, 'custom.css')).exists()),
    })
  }

  // Last, so that nothing can fail between generating the password and printing it.
  const firstPassword = await ensureAdmin({ users, settings, username: config.username, password })
  return {
    app,
    // Without sign-in there is no password to print.
    firstPassword: (await settings.read()).authMethod === 'noauth' ? null : firstPassword,
    metrics: metrics?.render ?? null,
    retire: world.retire,
    close: world.close,
    async stop() {
      for (const timer of tidying) clearInterval(timer)
      await world.stop()
      roots.stop()
    },
  }
}

/** What the server writes below the served folder: files that begin with these paths are its own. */
function ownPlacesIn({ root, dataDir, cacheDir, database }: Config): FilePath[] {
  const real = (path: string): string => orElse(resolve(path), () => realpathSync(path))
  const place = databaseLocationOf(database)
  const files = 'file' in place ? ['', '-wal', '-shm', '-journal'].map((end) => place.file + end) : []
  return [dataDir, ...(cacheDir === null || cacheDir === 'off' ? [] : [cacheDir]), ...files].flatMap((path) => {
    const way = relative(real(root), real(path))
    return way === '' || way.startsWith('..') || isAbsolute(way) ? [] : [parseFilePath(`/${way}`)]
  })
}

async function tellOfSandbox(sandbox: Bubblewrap, log: (line: string) => void): Promise<void> {
  const reason = await sandbox.unavailable()
  const weakness = reason === null ? await sandbox.weakness() : null
  if (reason !== null) log(`films and PDFs have no thumbnails: ${reason}`)
  if (weakness !== null) log(`sandbox: ${weakness}`)
}

/** Where commands run, and what to log about it. Never without a sandbox, unless the operator explicitly accepts that. */
async function execOf(
  { disableExec, execWithoutSandbox, root }: Config,
  { sandbox, roots }: { sandbox: Sandbox; roots: OpenRoots },
): Promise<{ exec: Exec | null; problem: string | null }> {
  if (disableExec) return { exec: null, problem: null }
  // Scopes are shown with their real paths.
  const real = realpathSync(root)
  const folderOf = (place: FilePath): string => roots.localPlaceOf(place) ?? (place === ROOT ? real : join(real, place))
  const otherRoots = roots.names.map((name) => joinPath(ROOT, name))
  const reason = await sandbox.unavailable()
  if (reason === null) return { exec: { sandbox, sandboxed: true, folderOf, otherRoots }, problem: null }
  if (!execWithoutSandbox) return { exec: null, problem: `no command runs, because there is no sandbox: ${reason}` }
  return {
    exec: { sandbox: createUnsandboxed(), sandboxed: false, folderOf, otherRoots },
    problem: `commands run without a sandbox: ${reason}`,
  }
}

function picturesOf({ cacheDir, dataDir }: Config, clock: () => Date): PictureCache {
  return cacheDir === 'off' ? NO_CACHE : createPictureCache(cacheDir ?? join(dataDir, 'previews'), { limitBytes: PICTURES_BYTES, clock })
}
