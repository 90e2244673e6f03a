import { endpointsOf } from '../shared/contract/endpoint.ts'
import { api } from '../shared/contract/index.ts'
import { fail } from '../shared/errors.ts'
import type { FilePath } from '../shared/file-path.ts'
import type { Viewer } from './access/viewer.ts'
import { mountAudit } from './audit/routes.ts'
import { mountLocks } from './dav/lock-routes.ts'
import { type DavDeps, mountDav } from './dav/routes.ts'
import { mountCommands } from './commands/routes.ts'
import { mountExplain } from './explain/routes.ts'
import { mountFactors } from './factors/routes.ts'
import { mountFiles } from './files/routes.ts'
import { authenticate } from './http/authenticate.ts'
import { errorResponse, incidentFrom } from './http/errors.ts'
import { protect } from './http/headers.ts'
import { mountGroups } from './groups/routes.ts'
import { mountHealth } from './http/health.ts'
import { refuseUnclearHost } from './http/host.ts'
import { logRequests } from './http/log.ts'
import { callPath, refuseOtherMethods } from './http/mount.ts'
import { mountApiDocument } from './http/static.ts'
import { splitShare, throughShare } from './http/through-share.ts'
import { splitViewing, whileViewing } from './http/while-viewing.ts'
import { createOwnOrigin, type OwnOrigin } from './http/own-origin.ts'
import { createRouter, type Layer, type Place, rawPath, type Router } from './http/router.ts'
import { mountMail } from './mail/routes.ts'
import { mountPasswordLinks } from './password-links/routes.ts'
import { mountHandOver } from './hand-over/routes.ts'
import { mountPeople } from './people/routes.ts'
import { mountLive } from './live/routes.ts'
import { mountRoots } from './roots/routes.ts'
import { mountSearch } from './search/routes.ts'
import { mountFavourites } from './favourites/routes.ts'
import { respondRaw } from './files/raw-response.ts'
import { respondPreview } from './previews/preview-response.ts'
import { mountDirectories } from './directories/routes.ts'
import { addressesOf } from './providers/addresses.ts'
import { mountProviderSettings } from './providers/admin-routes.ts'
import { mountProviders } from './providers/routes.ts'
import { mountPhotos } from './photos/routes.ts'
import { mountPreviews } from './previews/routes.ts'
import { mountQuotas } from './quotas/routes.ts'
import { mountSessions } from './sessions/routes.ts'
import { mountSyncClients } from './sync/routes.ts'
import { mountSettings } from './settings/routes.ts'
import { mountSizes } from './sizes/routes.ts'
import { mountPublic } from './shares/public-routes.ts'
import { mountQuantumAddresses } from './shares/quantum-routes.ts'
import { mountPeopleShares } from './shares/people-routes.ts'
import { mountShares } from './shares/routes.ts'
import { mountSnapshots } from './snapshots/routes.ts'
import { mountTokens } from './tokens/routes.ts'
import { mountTrash } from './trash/routes.ts'
import { mountUndo } from './undo/routes.ts'
import { mountUserJobs } from './user-jobs/routes.ts'
import { mountUnpack } from './unpack/routes.ts'
import { mountVisitorUploads } from './shares/upload-routes.ts'
import { mountUploads } from './uploads/routes.ts'
import { mountUsers } from './users/routes.ts'
import { mountVersions } from './versions/routes.ts'
import { mountViewings } from './viewings/routes.ts'
import { mountWebhooks } from './webhooks/routes.ts'
import type { World } from './world.ts'

export const COOKIE = 'satchel'

export interface AppOptions {
  readonly logAll: boolean
  /** Whether to send Strict-Transport-Security over TLS; yes by default. */
  readonly hsts?: boolean
  /** Why commands do not run although they are enabled; null if they run or are disabled. */
  readonly commandProblem?: string | null
  /** Counts every request, if metrics are enabled. */
  readonly measure?: Layer
  /** Decides which requests come from our own pages; by the Host header alone if absent. */
  readonly origins?: OwnOrigin
  readonly framingSites?: readonly string[]
  /** Everything that is not an API call: static files and the page. */
  readonly mountRest: (app: Router) => void
  /** Where the build put the web application, and the document of the API with it; without it there is no document. */
  readonly webDir?: string
}

export function createApp(world: World, settings: AppOptions): Router {
  const { options, sessions, users, driveFor, writer, log } = world
  const { logAll, hsts = true, mountRest, measure, commandProblem = null, framingSites = [], origins = createOwnOrigin({ log }) } = settings
  const app = createRouter({ placeOf: ({ url }) => placeOf(withoutBase(rawPath(url), options.baseUrl)) })

  app.onError((error, c) => errorResponse(incidentFrom(error, log), c.header('accept') ?? ''))
  if (measure !== undefined) app.use(measure)
  app.use(protect({ hsts, framingSites }))
  app.use(logRequests({ log, all: logAll }))
  app.use(refuseUnclearHost)
  app.use(
    authenticate({
      identify: sessions.identify,
      identifyToken: world.identifyToken,
      refuseToken: world.refuseToken,
      during: sessions.during,
      cookieName: COOKIE,
      origins,
      baseUrl: options.baseUrl,
      changes: world.changes,
    }),
  )
  app.use(throughShare({ open: world.peopleShares.open, changes: world.changes }))
  app.use(whileViewing({ open: world.viewings.open, changes: world.changes }))

  mountHealth(app, world)
  mountSessions(app, {
    sessions,
    signup: world.signup,
    endTokens: ({ userId: id, username }, address) => world.tokens.removeAllOf({ id, username }, { by: { id, name: username }, address }),
    cookie: { name: COOKIE, baseUrl: options.baseUrl },
  })
  mountTokens(app, { tokens: world.tokens, driveFor, requireProof: (caller) => sessions.requireProof(caller) })
  mountProviders(app, { providers: world.providers, cookie: { name: COOKIE, baseUrl: options.baseUrl } })
  mountProviderSettings(app, world)
  mountDirectories(app, world)
  mountUsers(app, { users, management: world.management, settings: world.settings })
  mountFactors(app, {
    factors: world.factors,
    requireFreshProof: (caller) => sessions.requireFreshProof(caller),
    countCode: (caller) => sessions.countCode(caller),
  })
  mountGroups(app, { groups: world.groups, driveFor })
  mountQuotas(app, world)
  mountExplain(app, world)
  mountViewings(app, world)
  mountSettings(app, { settings: world.settings, requireProof: (caller) => sessions.requireProof(caller) })
  mountRoots(app, { list: options.listRoots ?? (async () => []) })
  mountFiles(app, {
    driveFor,
    readNow: world.readNow,
    onNdjsonClient: (viewer) => world.ndjsonClients.add(viewer),
    spaceOf: world.quotas.spaceOf,
    writer,
    options,
    archives: world.archives,
    rootName: options.rootName || 'files',
  })
  mountUploads(app, { ...world.uploads, driveFor, baseUrl: options.baseUrl })
  mountCommands(app, { ...world, problem: commandProblem, settings: world.settings, driveFor })
  mountWebhooks(app, { ...world.webhooks, outbox: world.outbox, bus: world.bus, requireProof: (caller) => sessions.requireProof(caller) })
  mountMail(app, { ...world, ...world.mail, ...world.passwordLinks, requireProof: (caller) => sessions.requireProof(caller) })
  mountPasswordLinks(app, world)
  mountPeople(app, world)
  mountHandOver(app, world)
  mountShares(app, { shares: world.shares })
  mountPeopleShares(app, { peopleShares: world.peopleShares })
  mountFavourites(app, { favourites: world.favourites })
  mountPublic(app, {
    ...world.receiving,
    visit: world.visit,
    writer,
    archives: world.archives,
    rootName: options.rootName || 'files',
    baseUrl: options.baseUrl,
    respondPreview: (file, wanted) => respondPreview(world.previews, file, { ...wanted, respondRaw }),
  })
  mountQuantumAddresses(app, options)
  mountVisitorUploads(app, { ...world.receiving, visit: world.visit, uploads: world.visitorUploads, baseUrl: options.baseUrl })
  mountSearch(app, { ...world, driveFor, acceptsNdjson: (viewer) => world.ndjsonClients.has(viewer) })
  mountSizes(app, { driveFor, index: world.treeIndex, closing: world.closing })
  mountUnpack(app, { driveFor, unpacker: world.unpacker, limits: world.archives.limits })
  mountUserJobs(app, { driveFor, userJobs: world.userJobs })
  mountTrash(app, world)
  mountUndo(app, world)
  mountVersions(app, { ...world, driveFor })
  mountSnapshots(app, { ...world, rootName: options.rootName || 'files' })
  mountAudit(app, world)
  mountLive(app, { driveFor, bus: world.bus, changes: world.changes, closing: world.closing, pace: options.livePace })
  mountPhotos(app, { ...world, driveFor })
  mountPreviews(app, { driveFor, previews: world.previews, respondRaw })
  mountLocks(app, { driveFor, users, locks: world.dav.locks })
  const davDeps = {
    ...world.dav,
    driveFor,
    changes: world.changes,
    settings: world.settings,
    systemDrive: world.systemDrive,
    spaceOf: world.quotas.spaceOf,
    restoreTrashed: (viewer: Viewer, id: string, to: FilePath) => world.trash.restore(viewer, id, { replace: false, rename: false, to }),
    clock: world.clock,
    origins,
    isOwnHost: origins.isOwnHost,
    baseUrl: options.baseUrl,
    log,
  } satisfies DavDeps
  mountDav(app, davDeps)
  mountSyncClients(app, {
    ...world,
    ...davDeps,
    ...world.signInsOfApps,
    requireProof: (caller) => sessions.requireProof(caller),
    originOf: (request, connection) =>
      addressesOf(request, connection, { publicOrigins: options.publicOrigins ?? [], baseUrl: options.baseUrl }).origin,
  })
  refuseOtherMethods(
    app,
    endpointsOf(api).map(({ call }) => call),
  )
  if (settings.webDir !== undefined) mountApiDocument(app, settings.webDir)
  app.all('/api/*', () => fail('not-found', {}))
  mountRest(app)
  return app
}

function withoutBase(path: string, base: string): string {
  if (base === '' || !(path === base || path.startsWith(`${base}/`))) return path
  return path.slice(base.length) || '/'
}

function placeOf(path: string): Place {
  const { viewing, ...inside } = splitViewing(path)
  // Nothing is shared with the person who is looked at through the administrator.
  const place = viewing === null ? splitShare(path) : { ...inside, share: null }
  return { ...place, viewing, path: callPath(place.path) }
}
