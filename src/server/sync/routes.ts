import { fail } from '../../shared/errors.ts'
import { joinPath, ROOT } from '../../shared/file-path.ts'
import { mayAnywhere } from '../access/access.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import { davErrorResponse } from '../dav/dav-errors.ts'
import { makeFolder } from '../dav/make-folder.ts'
import { readFile } from '../dav/read-file.ts'
import { type DavMount, type Handle, admit, expectSwitchedOn, finish, respondDav } from '../dav/routes.ts'
import { incidentFrom } from '../http/errors.ts'
import type { Context, Router } from '../http/router.ts'
import type { DavCall } from '../dav/dav-call.ts'
import { usernameKey } from '../users/username.ts'
import { type LoginDeps, mountLoginFlow, serverOf } from './login-routes.ts'
import { handleBulk } from './bulk.ts'
import { createChunkSums } from './chunk-sums.ts'
import { type ChunksDeps, handleChunks } from './chunks.ts'
import { createKnownSums, type KnownSums } from './known-sums.ts'
import { createDialect, type DialectDeps } from './dialect.ts'
import { patchFavourites } from './favourites.ts'
import { reportFavourites } from './report.ts'
import { folderEtagsOf } from './folder-etags.ts'
import { fileIdOf } from './file-id.ts'
import { createAccessMark } from './access-mark.ts'
import { createVisiblePrints } from './visible-prints.ts'
import type { Favourites } from '../favourites/favourites.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { sizesOf } from '../sizes/sums.ts'
import { type OcsAnswer, ocsForm, ocsResponse } from './ocs.ts'
import { ocsShares, type OcsSharesDeps } from './ocs-shares.ts'
import { capabilitiesOf, type Product, statusOf } from './product.ts'
import { handleTrash, type SyncTrashDeps } from './trash.ts'

export interface SyncDeps extends Omit<ChunksDeps, 'chunkSums'>, LoginDeps, SyncTrashDeps, Omit<OcsSharesDeps, 'serverOf'> {
  readonly treeIndex: TreeIndex
  readonly favourites: Favourites
}

/**
 * What Nextcloud's sync clients ask, over the same Drive, with the same credentials and the same switches as WebDAV: it is below `/status.php`, `/ocs/`,
 * `/remote.php/` and `/index.php/`.
 */
export function mountSyncClients(app: Router, deps: SyncDeps): void {
  const sums = createKnownSums()
  const chunkDeps = { ...deps, chunkSums: createChunkSums() }
  const bulkDeps = { ...deps, underway: new Map<number, number>() }
  const parts = { ...dialectDepsOf(deps), sums }
  const dialect = createDialect(parts)
  const productOf = async () => {
    const { branding } = await deps.settings.read()
    return { name: branding.name || 'Satchel', color: branding.color || '#1f6feb' }
  }

  app.get('/status.php', async (c) => {
    await expectSwitchedOn(deps, c)
    return Response.json(statusOf(await productOf()))
  })
  app.get('/index.php/204', async (c) => {
    await expectSwitchedOn(deps, c)
    return new Response(null, { status: 204 })
  })

  mountLoginFlow(app, deps)

  for (const version of [1, 2] as const)
    app.all(`/ocs/v${version}.php/*`, async (c) => {
      await expectSwitchedOn(deps, c)
      return ocsResponse(c.request, version, await ocsAnswer({ ...deps, productOf }, c, c.path.slice('/ocs/v1.php'.length)))
    })

  const handlers: Readonly<Record<string, Handle>> = {
    GET: (call) => read(sums, call),
    HEAD: (call) => read(sums, call),
    MKCOL: (call) => made(parts, call),
    PROPPATCH: (call) => patchFavourites(deps.favourites, call),
    REPORT: (call) => reportFavourites(parts, call),
  }

  app.all('/remote.php/webdav/*', (c) => respondDav(deps, c, { at: '/remote.php/webdav', dialect, handlers }))
  for (const pattern of ['/remote.php/dav/uploads/:user/:name', '/remote.php/dav/uploads/:user/:name/:part'])
    app.all(pattern, (c) => {
      const { user = '', name = '', part = '' } = c.params
      return respondSignedIn(deps, c, ({ viewer, lists }) => {
        expectUser(viewer, user)
        return handleChunks(chunkDeps, c, { viewer, lists, user, name, part, dialect })
      })
    })
  app.all('/remote.php/dav/trashbin/:user/*', (c) => {
    const { user = '' } = c.params
    return respondSignedIn(deps, c, ({ viewer }) => {
      expectUser(viewer, user)
      return handleTrash(deps, c, { viewer, dialect, user })
    })
  })
  app.all('/remote.php/dav/bulk', (c) => respondSignedIn(deps, c, ({ viewer }) => handleBulk(bulkDeps, c, { viewer, dialect })))
  app.all('/remote.php/dav/files/:user/*', (c) => respondDav(deps, c, mountAt(c, '/remote.php/dav/files/', { dialect, handlers })))
  // What clients ask besides is not there: our page would be a wrong answer with the status of a right one.
  for (const pattern of ['/remote.php/*', '/index.php/*', '/public.php/*']) app.all(pattern, () => fail('not-found', {}))
}

function dialectDepsOf({ treeIndex, favourites, ...deps }: SyncDeps): Omit<DialectDeps, 'sums'> {
  return {
    visiblePrints: createVisiblePrints(treeIndex),
    accessMark: createAccessMark(deps),
    async favouritesOf(viewer) {
      const { favourites: mine } = await favourites.mine(viewer)
      return new Set(mine.map(({ path }) => path))
    },
    async sizesOf({ drive, request }, folder) {
      const { sums, children } = await sizesOf(treeIndex, await drive.subtree(folder), { children: true, signal: request.signal })
      if (sums === null || children === null) return null
      const { names, bytes } = children
      return new Map([[folder, sums.bytes], ...names.map((name, row) => [joinPath(folder, name), bytes[row] ?? 0] as const)])
    },
  }
}

/** Where a person's own tree is: its address holds the name. */
function mountAt(c: Context, above: string, mount: Omit<DavMount, 'at' | 'expect'>): DavMount {
  const user = c.params['user'] ?? ''
  return { ...mount, at: above + user, expect: (viewer) => expectUser(viewer, user) }
}

/** Somebody else's tree is not there. @param user as it was sent */
function expectUser({ username }: Viewer, user: string): void {
  if (usernameKey(decoded(user)) !== usernameKey(username)) fail('not-found', {})
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return fail('invalid-input', { issues: ['path: not UTF-8'] })
  }
}

/** A request that is not about a path of the Drive. */
async function respondSignedIn(
  deps: SyncDeps,
  c: Context,
  work: (who: Awaited<ReturnType<typeof admit>>) => Promise<Response>,
): Promise<Response> {
  try {
    await expectSwitchedOn(deps, c)
    const who = await admit(deps, c)
    return await finish(await work(who), c.request, who.viewer.gesture)
  } catch (error) {
    const known = incidentFrom(error, deps.log)
    c.error = known
    return davErrorResponse(known, null)
  }
}

/** With the checksum, if it is known, so that the client compares it. */
async function read(sums: KnownSums, call: DavCall): Promise<Response> {
  const response = await readFile(call)
  const sum = sums.find(response.headers.get('etag'))
  if (sum !== null) response.headers.set('oc-checksum', sum)
  return response
}

async function made(deps: DialectDeps, call: DavCall): Promise<Response> {
  const response = await makeFolder(call)
  const { stat } = await call.drive.stat(call.path)
  response.headers.set('oc-fileid', fileIdOf({ identity: stat.identity, path: call.path }))
  response.headers.set('oc-etag', (await folderEtagsOf(deps, call, call.path, { children: false })).of(call.path))
  return response
}

async function ocsAnswer(deps: SyncDeps & { productOf: () => Promise<Product> }, c: Context, path: string): Promise<OcsAnswer> {
  try {
    const { viewer } = await admit(deps, c)
    if (c.request.method === 'DELETE' && path === '/core/apppassword') return await removeAppPassword(deps, c, viewer)
    if (path.startsWith(SHARING)) {
      const asked = { viewer, path: path.slice(SHARING.length), form: await ocsForm(c.request) }
      return await ocsShares({ ...deps, serverOf: (call) => serverOf(deps, call) }, c, asked)
    }
    if (c.request.method !== 'GET') return { status: 405, message: 'Method not allowed' }
    if (path === '/cloud/capabilities') return { status: 200, data: await offered(deps, viewer) }
    if (path === '/cloud/user' || isUser(path, viewer)) return { status: 200, data: await personOf(deps, viewer) }
    return { status: 404, message: 'Not found' }
  } catch (error) {
    const known = incidentFrom(error, deps.log)
    c.error = known
    const { status, statusText } = davErrorResponse(known, null)
    return { status, message: statusText || known.code }
  }
}

const SHARING = '/apps/files_sharing/api/v1'

async function offered(
  { productOf, settings }: Pick<SyncDeps, 'settings'> & { productOf: () => Promise<Product> },
  { access, token }: Viewer,
) {
  const isWhole = token === undefined || token.folder === ROOT
  const trash = isWhole && (await settings.read()).trashDays > 0
  return capabilitiesOf(await productOf(), { share: isWhole && mayAnywhere(access, 'share'), trash })
}

/** A client that signs out. */
async function removeAppPassword({ tokens }: SyncDeps, { bindings }: Context, viewer: Viewer): Promise<OcsAnswer> {
  if (viewer.token === undefined) return { status: 403, message: 'Not an app password' }
  await tokens.remove(viewer.token.id, { userId: viewer.userId }, { by: performerOf(viewer), address: bindings.peer })
  return { status: 200 }
}

function isUser(path: string, { username }: Viewer): boolean {
  const [, user] = /^\/cloud\/users\/([^/]+)$/.exec(path) ?? []
  return user !== undefined && usernameKey(decoded(user)) === usernameKey(username)
}

async function personOf({ driveFor, spaceOf }: SyncDeps, viewer: Viewer): Promise<object> {
  const { total, used } = await spaceOf(viewer, await driveFor(viewer.access).space(ROOT))
  const relative = total === 0 ? 0 : Math.round((used / total) * 10_000) / 100
  return {
    enabled: true,
    id: viewer.username,
    'display-name': viewer.username,
    displayname: viewer.username,
    email: null,
    quota: { free: Math.max(0, total - used), used, total, relative, quota: total },
    language: 'en',
    groups: [],
  }
}
