import { type FilePath } from '../shared/file-path.ts'
import { createAccessChanges } from './access-changes.ts'
import { type Access } from './access/access.ts'
import { EVERYTHING } from './access/everything.ts'
import { createTrail } from './audit/trail.ts'
import { createArchives } from './archives/respond.ts'
import { externalWrites } from './db/database.ts'
import { createDavModule } from './dav/module.ts'
import { createCommandsModule } from './commands/module.ts'
import { observedDrive, type Observer } from './drive/observed-drive.ts'
import type { Actor } from './drive/operation.ts'
import { listedPath } from './drive/context.ts'
import { type Drive, openDrive } from './drive/drive.ts'
import { readNow } from './drive/read-now.ts'
import { createFolderWriter } from './files/folder-writer.ts'
import { NO_INDEX } from './index/tree-index.ts'
import { createOutbox } from './jobs/outbox.ts'
import { createGroupsModule } from './groups/module.ts'
import { createOutsideModule } from './outside/module.ts'
import { createDirectoriesModule } from './directories/module.ts'
import { createJobDrives } from './job-drives.ts'
import { createJournalModule } from './journal/module.ts'
import { createFactorsModule } from './factors/module.ts'
import { createHandOverModule } from './hand-over/module.ts'
import { createFavouritesModule } from './favourites/module.ts'
import { createNoticesModule } from './notices/module.ts'
import { createPasswordLinksModule } from './password-links/module.ts'
import { createViewings } from './viewings/viewings.ts'
import { createPeopleModule } from './people/module.ts'
import { createProvidersModule } from './providers/module.ts'
import { createFactStore } from './photos/fact-store.ts'
import { createPhotos } from './photos/photos.ts'
import { createPreviews } from './previews/previews.ts'
import { createQuotasModule } from './quotas/module.ts'
import { createPool } from './previews/pool.ts'
import { createSearchModule } from './search/module.ts'
import { createLimiters } from './sessions/limiters.ts'
import { createClientLimit } from './sessions/client-limit.ts'
import { createShareMail } from './share-mail.ts'
import { createSessionsModule } from './sessions/module.ts'
import { runHook as runProgram } from './sessions/run-hook.ts'
import { createSettings } from './settings/store.ts'
import { createSharesModule } from './shares/module.ts'
import { NO_SNAPSHOTS } from './snapshots/snapshots.ts'
import { sweepAll } from './sweep-all.ts'
import { createSyncModule } from './sync/module.ts'
import { createTokensModule } from './tokens/module.ts'
import { createTrashModule } from './trash/module.ts'
import { createUndoModule } from './undo/module.ts'
import { createUserJobsModule } from './user-jobs/module.ts'
import { createOfficeReader } from './unpack/office-texts.ts'
import { createUnpacker } from './unpack/unpacker.ts'
import { createUploadsModule } from './uploads/module.ts'
import { createUsersModule } from './users/module.ts'
import { createPasswords } from './users/password.ts'
import { createVersionsModule } from './versions/module.ts'
import { createWebhooksModule } from './webhooks/module.ts'
import { announceChanges, checksOf, createPhases, homesOn, stagingOn } from './world-parts.ts'
import type { Adapters, WorldOptions } from './world-options.ts'
import { startRenderer } from './previews/renderer.ts'

export type World = ReturnType<typeof createWorld>

/**
 * Joins the areas, each of which creates its own part (`module.ts`), in the order of their dependencies. What an area needs from a later one, it reads
 * only while the server runs.
 */
export function createWorld(adapters: Adapters, options: WorldOptions) {
  const { storage, db, bus, clock, log, sandbox, pictures, treeIndex = NO_INDEX, snapshots = NO_SNAPSHOTS } = adapters
  const { passwords = createPasswords(), exec = null, runHook: run = runProgram } = adapters
  const limits = createQuotasModule({ db, bus, storage, clock, log })
  const systemDrive = openDrive(limits.storageFor(null), EVERYTHING)
  /** Aborted when the server begins to stop: event streams end, running work continues. */
  const closing = new AbortController()
  const stopping = new AbortController()

  const settings = createSettings({ db, bus, clock })
  const trail = createTrail({ db, clock, log, kept: () => settings.read() })
  bus.on('noted', trail.note)
  const requireProof: Parameters<typeof createUsersModule>[0]['requireProof'] = (caller) => sessions.requireProof(caller)
  const accounts = createUsersModule({ db, bus, clock, passwords, settings, homes: homesOn(systemDrive, bus), requireProof })
  const { users } = accounts
  const { limiters, sweep: sweepGuesses } = createLimiters({ db, clock })
  const factors = createFactorsModule({ db, bus, users, settings, clock })
  const { grantedTo, grantedToEverybody, ...grouping } = createGroupsModule({ db, bus, clock, users, requireProof })
  const signIn = createSessionsModule({
    ...accounts,
    factors,
    db,
    bus,
    clock,
    log,
    settings,
    grantedTo,
    run,
    directories: () => directories.services.directories.signIn,
    lifetimeMs: options.sessionLifetimeMs,
    limiters,
    limits: options.signInLimits,
    captchaHosts: options.captchaHosts,
  })
  const { sessions } = signIn.services
  const apiTokens = createTokensModule({ db, bus, users, settings, grantedTo, clock, countGuess: limiters('token').begin })
  const signInProviders = createProvidersModule({
    ...accounts,
    db,
    bus,
    clock,
    log,
    settings,
    sessions,
    groups: grouping.services.groups,
    addresses: options,
  })
  const signInWays = { ...grouping.services, ...signInProviders.services }
  const directories = createDirectoriesModule({ ...accounts, ...signInWays, limiters, db, bus, clock, log })
  // After everything that caches accounts, settings or sessions.
  const changes = createAccessChanges({ bus, clock, writes: () => externalWrites(db) })

  const outbox = createOutbox({ db, clock })
  const commands = createCommandsModule({
    exec,
    systemDrive,
    use: storage,
    changes,
    settings,
    users,
    grantedTo,
    outbox,
    log,
    stopping: stopping.signal,
  })
  const { guard } = commands.services
  const links = createPasswordLinksModule({ ...accounts, limiters, db, bus, outbox, settings, requireProof, clock, log })
  const people = createPeopleModule({
    ...accounts,
    ...grouping.services,
    ...links.services.mail,
    ...limits.services,
    passwordLinks: links.services.passwordLinks,
    db,
    bus,
    settings,
    requireProof,
  })
  const familyOf = (sessionId: string) => sessions.familyOf(sessionId)
  const viewings = createViewings({ db, users, settings, grantedTo, systemDrive, bus, clock, log, requireProof, familyOf })
  const webhooks = createWebhooksModule({
    db,
    outbox,
    clock,
    settled: () => journal.settled(),
    log,
    networks: options.webhookNetworks,
  })
  const favourites = createFavouritesModule({ db, systemDrive, driveFor, clock, log })
  const shares = createSharesModule({
    db,
    users,
    settings,
    grantedTo,
    passwords,
    driveFor,
    systemDrive,
    clock,
    bus,
    changes,
    attempt: limiters('link').begin,
    countSearch: createClientLimit({ clock, burst: 40, perSecond: 1 }),
    countShare: createClientLimit({ clock, burst: 200, perSecond: 1 }),
    tell: createShareMail({ mailer: links.services.mail.mailer, clock, log }),
  })
  const leaving = createHandOverModule({
    ...accounts,
    db,
    outbox,
    settings,
    grantedTo,
    systemDrive,
    driveFor,
    requireProof,
    recovered: () => phases.recovered(),
    bus,
    clock,
    log,
  })
  const notices = createNoticesModule({
    ...links.services.mail,
    db,
    settings,
    grantedTo,
    driveFor,
    findQuota: limits.findQuota,
    clock,
    log,
  })
  limits.onLevel(notices.quotaTeller)
  sessions.onSignIn(notices.onSignIn)
  const uploads = createUploadsModule({ db, bus, clock, log, staging: stagingOn(storage) })

  const versions = createVersionsModule({ db, storage, settings, systemDrive, clock, log })
  const dav = createDavModule({
    db,
    bus,
    users,
    settings,
    grantedTo,
    systemDrive,
    listedPath: (path) => listedPath(storage, path),
    clock,
    ...apiTokens.services,
    prove: signIn.services.prove,
  })
  const followers = [shares.trashFollower, favourites.trashFollower, versions.trashFollower, dav.trashFollower]
  const moveFollowers = [shares.moveFollower, favourites.moveFollower, versions.moveFollower, dav.moveFollower]
  const operations = createJournalModule({ db, storage, settings, followers: moveFollowers, versions: versions.kept, clock, log })
  const { journal } = operations
  const trash = createTrashModule({ db, journal, storage, settings, quotaOf: limits.mostBytesOf, driveFor, followers, bus, clock, log })
  const outside = createOutsideModule({ db, bus, settings, clock, log, follower: limits.outside, ownPlaces: options.ownPlaces })
  const archives = createArchives({ db, clock })
  const unpacker = createUnpacker({ sandbox, limits: options.unpackLimits })
  const jobDrives = createJobDrives({
    users,
    settings,
    grantedTo,
    sessions,
    tokens: apiTokens.services.tokens,
    changes,
    driveFor,
    openShare: shares.services.peopleShares.open,
  })
  const userJobs = createUserJobsModule({ db, clock, bus, unpacker, archives, driveOf: jobDrives, log })
  const previews = createPreviews({
    pool: createPool({ start: () => startRenderer(sandbox), size: options.imageProcessors }),
    sandbox,
    cache: pictures,
    thumbnails: options.thumbnails,
    resize: options.previewResize,
  })
  const photos = createPhotos({ store: createFactStore({ db, clock }) })
  const writer = createFolderWriter()

  // Locks and hooks first: if they refuse an operation, no other observer is called.
  const observers = [
    dav.observer,
    guard?.afterChange,
    commands.hooks,
    announceChanges(bus),
    shares.observer,
    favourites.observer,
    versions.observer,
    dav.properties,
    webhooks.observer,
    notices.observer,
    guard?.beforeChange,
  ].filter((observer): observer is Observer => observer !== null && observer !== undefined)
  const onObserverError = (error: unknown, operation: { kind: string }) => log(`after ${operation.kind}: ${String(error)}`)

  /** @param actor the user that events and hooks name; null for the server itself, the owner for visitors */
  function driveFor(access: Access, actor: Actor = null): Drive {
    // Who only reads keeps nothing.
    const drive = actor === null ? openDrive(storage, access) : changingDrive(access, actor)
    return observedDrive(drive, { user: actor, observers, onObserverError })
  }

  function changingDrive(access: Access, actor: NonNullable<Actor>): Drive {
    // What goes to the trash and what is changed otherwise is one gesture.
    const one = actor.group === undefined ? { ...actor, group: Bun.randomUUIDv7() } : actor
    const counted = limits.storageFor(actor)
    return openDrive(counted, access, {
      bin: trash.bin(one, counted),
      versions: versions.of(one),
      recorder: outside.watching(operations.recorder(one)),
      room: limits.roomFor(actor),
    })
  }

  const sync = createSyncModule({ db, clock })
  const sweeps = {
    outbox: () => outbox.sweep(),
    guesses: sweepGuesses,
    ...signIn.sweeps,
    ...factors.sweeps,
    ...apiTokens.sweeps,
    ...signInProviders.sweeps,
    ...links.sweeps,
    ...favourites.sweeps,
    ...shares.sweeps,
    ...notices.sweeps,
    ...uploads.sweeps,
    ...operations.sweeps,
    ...trash.sweeps,
    ...versions.sweeps,
    ...outside.sweeps,
    ...limits.sweeps,
    ...dav.sweeps({ journal, driveFor, log }),
    previews: () => previews.sweep(),
    photos: () => photos.store.sweep(),
    checksums: () => archives.checksums.sweep(),
    trail: () => trail.sweep(),
  }

  const phases = createPhases(async () => {
    await operations.recover()
    await trash.recover()
    await dav.recover({ journal, driveFor, log })
    await versions.recover()
    await limits.recover()
    await leaving.recover()
  })
  return {
    options,
    log,
    bus,
    clock,
    systemDrive,
    driveFor,
    journal,
    readNow: (access: Access, path: FilePath) => readNow(storage, access, path),
    settings,
    trail,
    changes,
    outbox,
    archives,
    unpacker,
    userJobs,
    previews,
    photos,
    writer,
    treeIndex,
    snapshots,
    ...accounts,
    ...grouping.services,
    ...limits.services,
    grantedTo,
    grantedToEverybody,
    ...signIn.services,
    factors: factors.factors,
    ...apiTokens.services,
    ...signInProviders.services,
    ...directories.services,
    ...commands.services,
    ...links.services,
    ...people.services,
    ...leaving.services,
    stopHandOvers: leaving.stop,
    viewings,
    ...webhooks.services,
    ...favourites.services,
    ...shares.services,
    ...uploads.services,
    ...trash.services,
    outside,
    dav: dav.services,
    signInsOfApps: sync.services,
    undo: createUndoModule({
      db,
      journal,
      outside: outside.store,
      recovered: () => phases.recovered(),
      driveFor,
      systemDrive,
      settings,
      userJobs,
      clock,
      log,
    }),
    ...phases,
    ...createSearchModule({ treeIndex, sandbox, readOffice: createOfficeReader(sandbox) }),
    closing: closing.signal,
    stopping: stopping.signal,
    ...checksOf(db, clock),
    /** Removes expired data and leftovers; call it periodically. Failures are logged. */
    tidy: () => sweepAll({ ...sweeps, ...sync.sweeps }, log),
    /** Called when no listener accepts requests any more. */
    close: () => closing.abort(),
    async stop(): Promise<void> {
      closing.abort()
      stopping.abort()
      await userJobs.stop()
      await commands.stop()
      await webhooks.stop()
      await links.stop()
      await directories.stop()
      await leaving.stop()
      await treeIndex.stop()
      await outside.stop()
      writer[Symbol.dispose]()
      previews.end()
      await trail.settled()
      await favourites.stop()
      await trash.stop()
      await versions.stop()
      await snapshots.stop()
      await limits.stop()
      await operations.stop()
      await db.destroy()
    },
  }
}
