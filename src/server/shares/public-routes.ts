import { parseArchiveFormat } from '../../shared/archive-format.ts'
import { PREVIEW_SIZES, type PreviewSize } from '../../shared/contract/previews.ts'
import { shared as calls } from '../../shared/contract/public.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, parentOf, ROOT, segmentProblem } from '../../shared/file-path.ts'
import { type Archives, respondArchive } from '../archives/respond.ts'
import { selectedFiles } from '../files/selected-files.ts'
import type { FolderWriter } from '../files/folder-writer.ts'
import { respondRaw } from '../files/raw-response.ts'
import { respondSubtitle } from '../files/subtitle-response.ts'
import { hashOf } from '../db/secret.ts'
import type { Drive } from '../drive/drive.ts'
import { whileOpen } from '../http/bytes.ts'
import { statusResponse } from '../http/errors.ts'
import { type Call, mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { respondCounted } from './counted-response.ts'
import type { Quota } from './quota.ts'
import { type DescriptionOrder, respondDescribed } from './description-response.ts'
import { openForChange, readPassword, openTicketCookie, ticketsIn } from './open-for-change.ts'
import type { OpenVisit, Proof, Visit } from './visit.ts'
import type { VisitLog } from './visit-log.ts'

export interface PublicDeps {
  readonly visit: OpenVisit
  readonly quota: Quota
  readonly visitLog: VisitLog
  readonly clock: () => Date
  readonly writer: FolderWriter
  readonly archives: Archives
  readonly rootName: string
  /** A picture of a file; `name` is the file's. */
  readonly respondPreview: (
    file: { drive: Drive; path: FilePath },
    options: { size: PreviewSize; clientKey: string; request: Request; inline: boolean; name: string | undefined; mayBeOriginal: boolean },
  ) => Promise<Response>
  /** Base path of the server, without trailing slash. */
  readonly baseUrl: string
}

type Reading = Pick<Call<typeof calls.open>, 'params' | 'headers' | 'query' | 'request' | 'peer' | 'local' | 'secure' | 'cookiesCount'>
type Changing = Pick<Call<typeof calls.remove>, 'params' | 'headers' | 'request' | 'peer'>

/** What visitors do; none of it needs a session. */
export function mountPublic(app: Router, deps: PublicDeps): void {
  const { baseUrl, visitLog, clock, quota } = deps
  const enter = ({ params, headers, query, request, peer, cookiesCount }: Reading, options: Pick<Proof, 'mayFinish'>): Promise<Visit> =>
    deps.visit(params.hash, {
      password: readPassword(headers['x-share-password']),
      tickets: (hash) => ticketsIn(request, { hash, given: query.token, cookies: cookiesCount }),
      address: peer,
      ...options,
    })
  const answer = async (
    call: Reading,
    make: (visit: Visit, path: FilePath) => Promise<Response>,
    options: Pick<Proof, 'mayFinish'> = {},
  ): Promise<Response> => {
    const visit = await enter(call, options)
    // For a shared file, the rest of the path after the hash is only a readable name.
    const response = await make(visit, visit.share.folder ? call.params.path : ROOT)
    if (visit.ticket !== null)
      response.headers.append('set-cookie', openTicketCookie(visit.ticket, { ...call, hash: visit.share.hash, baseUrl }))
    return response
  }
  const describe = (call: Reading, form: DescriptionOrder['form']) =>
    answer(call, async (visit, path) => {
      const { slash } = call.params
      const response = await respondDescribed(deps, visit, { ...call, path, slash: slash === true, form, clientKey: clientKeyFor(visit) })
      if (path === ROOT) await visitLog.note(visit.share, { kind: 'visit', path: '', address: call.peer }, clock())
      return response
    })

  // First: a request for this media type also contains the beginning of the other's name.
  mount(app, calls.rowsInParts, (call) => describe(call, 'parts'))
  mount(app, calls.rows, (call) => describe(call, 'rows'))
  mount(app, calls.open, (call) => describe(call, 'items'))

  mount(app, calls.download, async (call) => {
    try {
      const take = async (visit: Visit, path: FilePath): Promise<Response> => {
        const response = await send(deps, visit, { call, path })
        if (call.request.method === 'GET' && response.ok)
          await whileOpen(response, () =>
            visitLog.note(visit.share, { kind: 'download', path: path === ROOT ? '' : path, address: call.peer }, clock()),
          )
        return response
      }
      return await answer(call, take, { mayFinish: (share, tickets) => quota.hasTaken(share, tickets.map(hashOf), clock()) })
    } catch (error) {
      const atDoor = isAppError(error, 'share-password-needed') || isAppError(error, 'share-not-yet')
      if (!atDoor || call.request.headers.get('sec-fetch-mode') !== 'navigate') throw error
      // Opened from a copied link or a QR code: the page asks for the password, or shows when the link opens.
      return new Response(null, { status: 302, headers: { location: `${baseUrl}/share/${encodeURIComponent(call.params.hash)}/` } })
    }
  })

  mount(app, calls.preview, (call) =>
    answer(call, (visit, path) => {
      needBytes(visit, visit.pictures, path)
      const size = PREVIEW_SIZES.find((one) => one === call.params.size) ?? fail('invalid-input', { issues: ['size: thumb, big or pdf'] })
      const { request, query } = call
      // A picture that is sent unchanged is a download.
      const mayBeOriginal = visit.share.rights !== 'view' && visit.share.maxDownloads === 0
      const file = { drive: visit.pictures, path }
      const name = nameAt(visit, path)
      return deps.respondPreview(file, {
        size,
        clientKey: clientKeyFor(visit),
        request,
        inline: query.inline === 'true',
        name,
        mayBeOriginal,
      })
    }),
  )

  mount(app, calls.subtitle, (call) =>
    answer(call, (visit, path) => {
      needDownload(visit, path)
      // What cannot be counted is not served through a limited link.
      if (visit.share.maxDownloads !== 0) fail('forbidden', { right: 'download' })
      return respondSubtitle(visit.drive, path, { request: call.request, inline: call.query.inline === 'true' })
    }),
  )

  const change = async (call: Changing, act: (drive: Drive, path: FilePath) => Promise<'rename' | 'delete'>): Promise<Response> => {
    const visit = await openForChange(deps.visit, call)
    if (visit.share.rights !== 'edit') fail('forbidden', { right: 'modify' })
    const kind = await act(visit.drive, call.params.path)
    await visitLog.note(visit.share, { kind, path: call.params.path, address: call.peer }, clock())
    return statusResponse(200)
  }
  mount(app, calls.rename, (call) =>
    change(call, async (drive, path) => {
      const problem = path === ROOT ? 'the share itself' : segmentProblem(call.body.name)
      if (problem !== null) fail('invalid-input', { issues: [`name: ${problem}`] })
      await drive.move(path, joinPath(parentOf(path), call.body.name), { replace: false, rename: false, signal: call.request.signal })
      return 'rename'
    }),
  )
  mount(app, calls.remove, (call) =>
    change(call, async (drive, path) => {
      // The shared node itself is not the visitor's to delete.
      if (path === ROOT) fail('forbidden', { right: 'delete' })
      await drive.remove(path, { signal: call.request.signal })
      return 'delete'
    }),
  )
}

/** A view-only link serves no bytes; a drop box serves nothing at all. */
function needDownload({ share, drive }: Visit, path: FilePath): void {
  if (share.rights === 'view') fail('forbidden', { right: 'download' })
  needBytes({ share }, drive, path)
}

/** If the owner has lost the right to download, the link has too: 404, as for everything that has ended. */
function needBytes({ share }: Pick<Visit, 'share'>, drive: Drive, path: FilePath): void {
  if (share.rights === 'drop' || !drive.may('download', path)) fail('not-found', {})
}

/** For the shared node itself, the path contains no name. */
function nameAt({ name }: Visit, path: FilePath): string | undefined {
  return path === ROOT ? name : undefined
}

/** Visitors of one link share its limits. */
function clientKeyFor({ share }: Visit): string {
  return `share ${share.hash}`
}

/** A file as it is; a folder or several entries of it as an archive. Downloads of limited links are counted. */
async function send(
  deps: PublicDeps,
  visit: Visit,
  { call, path }: { call: Pick<Call<typeof calls.download>, 'query' | 'request'>; path: FilePath },
): Promise<Response> {
  needDownload(visit, path)
  const { share, drive } = visit
  const { request, query } = call
  const limited = share.maxDownloads !== 0
  const listed = share.folder ? selectedFiles(path, query.files) : null
  const isFile = listed === null && (await drive.stat(path)).stat.kind !== 'folder'
  const response = isFile
    ? await respondRaw(drive, path, { request, inline: query.inline === 'true', name: nameAt(visit, path), watched: limited })
    : await respondArchive(deps.archives, drive, {
        request,
        paths: listed ?? [path],
        format: parseArchiveFormat(query.algo),
        rootName: visit.name || deps.rootName,
        clientKey: clientKeyFor(visit),
      })
  return limited ? respondCounted(deps, visit, { request, response }) : response
}
