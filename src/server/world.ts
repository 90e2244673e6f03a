import type { Kysely } from 'kysely'
import { ROOT } from '../shared/file-path.ts'
import { createKeyedMutex } from '../shared/keyed-mutex.ts'
import { createAccessChanges } from './access-changes.ts'
import type { Access } from './access/access.ts'
import type { AccessChanges } from './access/latest.ts'
import { EVERYTHING } from './access/everything.ts'
import { createTrail, type Trail } from './audit/trail.ts'
import { type Archives, createArchives } from './archives/respond.ts'
import type { Bus } from './bus/bus.ts'
import { isShared, probe, externalWrites } from './db/database.ts'
import type { Schema } from './db/schema.ts'
import type { Exec } from './commands/sandbox-mount.ts'
import { createGuard, type Guard } from './commands/guard.ts'
import { createHooks, HOOK_JOB } from './commands/hooks.ts'
import { announce, type Doer, type Observer } from './drive/announce.ts'
import { type Drive, openDrive } from './drive/drive.ts'
import { isThere } from './drive/is-there.ts'
import { createFolderWriter, type FolderWriter } from './files/folder-writer.ts'
import type { Entry } from './http/log.ts'
import { announceChanges } from './live/announce-changes.ts'
import type { Pace } from './live/folder-events.ts'
import { NO_INDEX, type TreeIndex } from './index/tree-index.ts'
import { createOutbox, type Outbox } from './jobs/outbox.ts'
import { createJobDrives } from './job-drives.ts'
import { createUserJobStore } from './jobs/user-job-store.ts'
import { createOutboxWorker, type OutboxWorker } from './jobs/outbox-worker.ts'
import { CANDIDATE_LIMITS, createContentFinder } from './search/content/content-finder.ts'
import { createMatchThreads } from './search/content/match-thread.ts'
import { createDocumentTexts, type DocumentTexts } from './search/content/document-texts.ts'
import type { Finder } from './search/finder.ts'
import { createIndexFinder } from './search/index-finder.ts'
import { createWalkFinder } from './search/walk-finder.ts'
import { createCaptchaCheck } from './sessions/captcha.ts'
import { createLimiter, type Limits } from './sessions/limiter.ts'
import { createNdjsonClients, type NdjsonClients } from './sessions/ndjson-clients.ts'
import { createSignInMethods } from './sessions/methods.ts'
import { type RunHook, runHook as runProgram } from './sessions/run-hook.ts'
import { followRenames } from './favourites/follow-renames.ts'
import { createVisitBuffer } from './favourites/visit-buffer.ts'
import { createFavourites, type Favourites } from './favourites/favourites.ts'
import { createFavouriteStore } from './favourites/store.ts'
import { createPreviews, type Previews } from './previews/previews.ts'
import type { PictureCache } from './previews/cache.ts'
import { createPool } from './previews/pool.ts'
import { startRenderer } from './previews/start-renderer.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { sweepAll } from './sweep-all.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createSignup, type Signup } from './sessions/signup.ts'
import { isDoctorPass } from './settings/doctor-pass.ts'
import { createSettings, type SettingsStore } from './settings/settings.ts'
import { followOperations } from './shares/follow-operations.ts'
import { createQuota } from './shares/quota.ts'
import type { ReceivingDeps } from './shares/receiving.ts'
import { createShares, type Shares } from './shares/shares.ts'
import { createShareStore } from './shares/store.ts'
import { createVisits, type OpenVisit } from './shares/visit.ts'
import { createVisitLog } from './shares/visit-log.ts'
import type { Storage } from './storage/storage.ts'
import { createUserJobRunner, type UserJobRunner } from './user-jobs/runner.ts'
import type { UnpackLimits } from './unpack/limits.ts'
import { createOfficeReader } from './unpack/office-texts.ts'
import { createUnpacker, type Unpacker } from './unpack/unpacker.ts'
import { createLeases } from './uploads/leases.ts'
import { createUploadStore } from './uploads/store.ts'
import { createSweep } from './uploads/sweep.ts'
import { UPLOAD_EXPIRY_MS, type UploadsDeps } from './uploads/uploads.ts'
import { createManagement, type Management } from './users/manage.ts'
import { createPasswords, type Passwords } from './users/password.ts'
import { createPasswordPolicy } from './users/policy.ts'
import { createProvisioning, type Homes } from './users/provision.ts'
import { createUsers, type Users } from './users/users.ts'
import { createReach } from './webhooks/reach.ts'
import type { WebhookRoutesDeps } from './webhooks/routes.ts'
import { createWebhookStore } from './webhooks/store.ts'
import { createWebhooks, WEBHOOK_JOB } from './webhooks/webhooks.ts'

/** What the operator decided, as far as the areas need to know. */
export interface WorldOptions {
  /** Without trailing slash; empty at the root. */
  readonly baseUrl: string
  readonly typeDetectionByHeader: boolean
  /** How long a token lives without renewal, in milliseconds. */
  readonly sessionLifetimeMs: number
  /** Searches answer lines where a client names no media type. */
  readonly searchLines?: boolean
  /** For tests and benchmarks: captcha services besides the known ones, and how many sign-ins go through at once. */
  readonly captchaHosts?: readonly string[]
  readonly signInLimits?: Limits
  readonly thumbnails: boolean
  readonly previewResize: boolean
  /** Previews made at the same time. */
  readonly imageProcessors: number
  /** What the served folder is called; archives of it are named after it. */
  readonly rootName?: string
  /** What an archive may ask for when it is unpacked. */
  readonly unpackLimits?: UnpackLimits
  /** Not public, and to be reached by webhooks all the same. */
  readonly webhookNetworks?: readonly string[]
  /** For tests: how quickly open pages are told of changes. */
  readonly livePace?: Pace
}

/** The adapters, chosen by whoever makes the world: `compose.ts`, or a test. */
export interface Adapters {
  readonly storage: Storage
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (entry: Entry) => void
  readonly sandbox: Sandbox
  readonly pictures: PictureCache
  /** None when not given. */
  readonly treeIndex?: TreeIndex
  readonly passwords?: Passwords
  /** Where commands run; null where none does. */
  readonly exec?: Exec | null
  readonly runHook?: RunHook
}

/** Everything that lives as long as the server does. */
export interface World {
  readonly options: WorldOptions
  readonly log: (entry: Entry) => void
  readonly users: Users
  readonly management: Management
  readonly settings: SettingsStore
  readonly sessions: Sessions
  readonly ndjsonClients: NdjsonClients
  readonly signup: Signup
  readonly uploads: UploadsDeps
  readonly writer: FolderWriter
  readonly shares: Shares
  readonly favourites: Favourites
  readonly visit: OpenVisit
  /** What keeps account of visitors, and takes in what they send. */
  readonly receiving: Omit<ReceivingDeps, 'uploads'>
  readonly exec: Exec | null
  /** Holds running programs to the rules; null where nothing runs. */
  readonly guard: Guard | null
  /** The whole storage, for the house itself. */
  readonly systemDrive: Drive
  readonly outbox: Outbox
  readonly worker: OutboxWorker
  readonly webhooks: Pick<WebhookRoutesDeps, 'store' | 'webhooks' | 'reach' | 'clock'> & { readonly webhookWorker: OutboxWorker }
  readonly bus: Bus
  /** Whether what was looked up about somebody's access still holds. */
  readonly changes: AccessChanges
  /** Aborted when the server begins to stop: what only tells news ends, what does something goes on. */
  readonly closing: AbortSignal
  /** Aborted when the world stops. */
  readonly stopping: AbortSignal
  /** @param actor who is named where deeds are told of; nobody for the house, the owner for visitors */
  driveFor(access: Access, actor?: Doer): Drive
  readonly finder: Finder
  readonly contentFinder: Finder
  readonly documentTexts: DocumentTexts
  readonly treeIndex: TreeIndex
  readonly previews: Previews
  readonly archives: Archives
  readonly unpacker: Unpacker
  readonly userJobs: UserJobRunner
  readonly trail: Trail
  readonly clock: () => Date
  /** Whether `satchel doctor` gave itself this pass. */
  isDoctor(secret: string): Promise<boolean>
  /** Fails when the database does not answer. */
  askDatabase(): Promise<void>
  /** Removes what has ended and what was left lying; to be called now and then. What fails is logged. */
  tidy(): Promise<void>
  /** No listener takes more requests. */
  close(): void
  stop(): Promise<void>
}

const JOBS_AT_ONCE = 2
const DELIVERIES_AT_ONCE = 4
const POLL_JOBS_MS = 15_000

export function createWorld(adapters: Adapters, options: WorldOptions): World {
  const {
    storage,
    db,
    bus,
    clock,
    log,
    sandbox,
    pictures,
    treeIndex = NO_INDEX,
    passwords = createPasswords(),
    exec = null,
    runHook: run = runProgram,
  } = adapters
  const systemDrive = openDrive(storage, EVERYTHING)
  const settings = createSettings({ db, bus, clock })
  const users = createUsers({ db, bus, passwords, clock })
  const homes = homesOn(systemDrive)
  const policy = createPasswordPolicy({ settings })
  const trail = createTrail({ db, clock, log, keptDays: async () => (await settings.read()).activityDays })
  bus.on('noted', trail.note)
  const provisioning = createProvisioning({ users, bus, settings, homes })
  const limiter = createLimiter({ clock, limits: options.signInLimits })
  const captcha = createCaptchaCheck({ settings, clock, hosts: options.captchaHosts })
  const methods = createSignInMethods({ users, bus, settings, provisioning, policy, limiter, captcha, run, log })
  const sessions = createSessions({ db, bus, users, settings, limiter, methods, clock, lifetimeMs: options.sessionLifetimeMs, log })
  // After everything that keeps accounts, settings or sessions in memory.
  const changes = createAccessChanges({ bus, clock, writes: () => externalWrites(db) })
  const signup = createSignup({ settings, provisioning, policy, captcha, limiter: createLimiter({ clock }) })
  const management = createManagement({
    users,
    bus,
    settings,
    policy,
    requireProof: (caller) => sessions.requireProof(caller),
    makeHome: homes.make,
  })
  const store = createUploadStore(db)
  const uploads = { store, leases: createLeases({ store, clock, isAlone: !isShared(db) }), clock, expiryMs: UPLOAD_EXPIRY_MS }
  const staged = (id: string) => storage.stage(id, { near: ROOT })
  const staging = {
    staged: () => storage.staged(),
    size: (id: string) => staged(id).size(),
    changed: (id: string) => staged(id).changed(),
    discard: (id: string) => staged(id).discard(),
  }
  const sweepUploads = createSweep({ ...uploads, staging })
  const writer = createFolderWriter()

  const shareStore = createShareStore(db)
  const favouriteStore = createFavouriteStore(db)
  const visitBuffer = createVisitBuffer({ store: favouriteStore, log })
  const quota = createQuota(db)
  const visitLog = createVisitLog(db)
  const outbox = createOutbox({ db, clock })
  const attempt = (id: string) => worker.attempt(id)
  const closing = new AbortController()
  const stopping = new AbortController()
  const guard = exec === null ? null : createGuard({ exec, systemDrive, changes })
  const hooks =
    exec === null || guard === null ? null : createHooks({ exec, guard, settings, users, outbox, attempt, log, stopping: stopping.signal })
  const worker = createOutboxWorker({
    outbox,
    handlers: hooks === null ? {} : { [HOOK_JOB]: hooks.perform },
    log,
    concurrency: JOBS_AT_ONCE,
    pollMs: POLL_JOBS_MS,
  })
  const webhookStore = createWebhookStore(db)
  const reach = createReach({ allowed: options.webhookNetworks ?? [] })
  const webhooks = createWebhooks({ store: webhookStore, outbox, reach, wake: () => webhookWorker.wake(), clock, log })
  // Apart from the hooks: whoever does not answer keeps nobody waiting but their like.
  const webhookWorker = createOutboxWorker({
    outbox,
    handlers: { [WEBHOOK_JOB]: webhooks.perform },
    log,
    concurrency: DELIVERIES_AT_ONCE,
    pollMs: POLL_JOBS_MS,
  })
  // Hooks first: what they forbid is not done, and nobody else is asked.
  const observers: Observer[] = [
    ...(guard === null ? [] : [guard.afterChange]),
    ...(hooks === null ? [] : [hooks.observer]),
    followOperations({ store: shareStore, systemDrive }),
    followRenames({ store: favouriteStore, visitBuffer, systemDrive }),
    announceChanges(bus),
    webhooks.observer,
    ...(guard === null ? [] : [guard.beforeChange]),
  ]
  const onFailure = (error: unknown, operation: { kind: string }) => log(`after ${operation.kind}: ${String(error)}`)
  const driveFor = (access: Access, actor: Doer = null) => announce(openDrive(storage, access), { user: actor, observers, onFailure })
  const sharesDeps = { store: shareStore, visits: visitLog, users, settings, passwords, driveFor, systemDrive, clock, bus }
  const guesses = createLimiter({ clock })
  const previews = createPreviews({
    pool: createPool({ start: () => startRenderer(sandbox), size: options.imageProcessors }),
    sandbox,
    cache: pictures,
    thumbnails: options.thumbnails,
    resize: options.previewResize,
  })
  const archives = createArchives({ db, clock })
  const documentTexts = createDocumentTexts(sandbox, createOfficeReader(sandbox))
  const unpacker = createUnpacker({ sandbox, limits: options.unpackLimits })
  const jobDrives = createJobDrives({ users, settings, sessions, changes, driveFor })
  const userJobs = createUserJobRunner({ store: createUserJobStore({ db, clock }), unpacker, archives, drivesOf: jobDrives, log })
  return {
    options,
    log,
    users,
    management,
    settings,
    sessions,
    ndjsonClients: createNdjsonClients(db),
    signup,
    uploads,
    writer,
    shares: createShares(sharesDeps),
    favourites: createFavourites({ store: favouriteStore, visitBuffer, driveFor, clock }),
    visit: createVisits({ ...sharesDeps, changes, attempt: (guess) => guesses.begin(guess) }),
    receiving: { store: shareStore, quota, visitLog, mutex: createKeyedMutex(), clock },
    exec,
    guard,
    systemDrive,
    outbox,
    worker,
    webhooks: { store: webhookStore, webhooks, reach, clock, webhookWorker },
    bus,
    changes,
    closing: closing.signal,
    stopping: stopping.signal,
    driveFor,
    finder: createIndexFinder(treeIndex, createWalkFinder()),
    contentFinder: createContentFinder({
      candidates: createIndexFinder(treeIndex, createWalkFinder(CANDIDATE_LIMITS), CANDIDATE_LIMITS, { forReading: true }),
      match: createMatchThreads(),
      documentTexts,
    }),
    documentTexts,
    treeIndex,
    previews,
    archives,
    unpacker,
    userJobs,
    trail,
    clock,
    askDatabase: () => probe(db),
    isDoctor: (secret) => isDoctorPass(db, secret, clock()),
    tidy: () =>
      sweepAll(
        {
          outbox: () => outbox.sweep(),
          sessions: () => sessions.sweep(),
          links: () => shareStore.sweep(clock()),
          favourites: () => favouriteStore.sweep(),
          downloads: () => quota.sweep(clock()),
          visits: () => visitLog.sweep(clock()),
          uploads: () => sweepUploads(),
          previews: () => previews.sweep(),
          checksums: () => archives.checksums.sweep(),
          trail: () => trail.sweep(),
        },
        log,
      ),
    close: () => closing.abort(),
    async stop() {
      closing.abort()
      stopping.abort()
      await userJobs.stop()
      await worker.stop()
      await webhookWorker.stop()
      await treeIndex.stop()
      writer[Symbol.dispose]()
      previews.end()
      await trail.settled()
      await visitBuffer.settled()
      await db.destroy()
    },
  }
}

function homesOn(drive: Drive): Homes {
  return {
    make: (path) => drive.makeFolder(path),
    isThere: (path) => isThere(drive, path),
  }
}
