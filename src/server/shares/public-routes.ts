import type { Hono } from 'hono'
import { parseArchiveFormat } from '../../shared/archive-format.ts'
import { PREVIEW_SIZES, type PreviewSize } from '../../shared/contract/previews.ts'
import { shared as calls } from '../../shared/contract/public.ts'
import { ROWS_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { type Archives, respondArchive } from '../archives/respond.ts'
import { askedFiles } from '../files/asked-files.ts'
import { respondJson } from '../files/encoding.ts'
import type { FolderWriter } from '../files/folder-writer.ts'
import { describeFile, readFolder, sniffedType } from '../files/listing.ts'
import { respondRaw } from '../files/raw-response.ts'
import { findSubtitles } from '../files/subtitle-search.ts'
import { respondSubtitle } from '../files/subtitle-response.ts'
import type { Drive } from '../drive/drive.ts'
import { type Call, type Env, mount } from '../http/mount.ts'
import { openTicketCookie, ticketsIn } from './ticket-cookie.ts'
import type { OpenVisit, Visit } from './visit.ts'

export interface PublicDeps {
  readonly visit: OpenVisit
  readonly writer: FolderWriter
  readonly archives: Archives
  /** What an archive of somebody's whole folder is called. */
  readonly rootName: string
  /** A picture of a file; `name` is the file's. */
  readonly respondPreview: (
    file: { drive: Drive; path: FilePath },
    options: { size: PreviewSize; request: Request; inline: boolean; name: string | undefined },
  ) => Promise<Response>
  /** Where the product is served, without trailing slash. */
  readonly baseUrl: string
}

type PublicCall = Pick<Call<typeof calls.open>, 'params' | 'headers' | 'query' | 'request' | 'peer' | 'secure'>

/** Names A to Z, folders first; on the wire of the predecessor that is called descending (contract reference 1.18). */
const SORTING = { by: 'name', asc: false } as const

/** What visitors do. No method but GET is here, and none needs a session. */
export function mountPublic(app: Hono<Env>, deps: PublicDeps): void {
  const { baseUrl } = deps
  const enter = (call: PublicCall): Promise<Visit> =>
    deps.visit(call.params.hash, {
      password: readPassword(call.headers['x-share-password']),
      tickets: ticketsIn(call.request, { hash: call.params.hash, query: call.query.token }),
      address: call.peer,
    })
  const answer = async (call: PublicCall, make: (visit: Visit, path: FilePath) => Promise<Response>): Promise<Response> => {
    const visit = await enter(call)
    // Of a shared file, what follows the hash is a pretty name and no more.
    const response = await make(visit, visit.share.folder ? call.params.path : ROOT)
    if (visit.ticket !== null)
      response.headers.append('set-cookie', openTicketCookie(visit.ticket, { ...call, hash: visit.share.hash, baseUrl }))
    return response
  }

  mount(app, calls.rows, (call) => answer(call, (visit, path) => describe(deps, visit, { call, path, form: 'rows' })))
  mount(app, calls.open, (call) => answer(call, (visit, path) => describe(deps, visit, { call, path, form: 'items' })))

  mount(app, calls.download, async (call) => {
    try {
      return await answer(call, (visit, path) => send(deps, visit, { call, path }))
    } catch (error) {
      if (!isAppError(error, 'share-password-needed') || call.request.headers.get('sec-fetch-mode') !== 'navigate') throw error
      // Somebody followed a copied link or a QR code: there the password is asked for (decision 25).
      return new Response(null, { status: 302, headers: { location: `${baseUrl}/share/${encodeURIComponent(call.params.hash)}/` } })
    }
  })

  mount(app, calls.preview, (call) =>
    answer(call, (visit, path) => {
      needDownload(visit)
      const size = PREVIEW_SIZES.find((one) => one === call.params.size) ?? fail('invalid-input', { issues: ['size: thumb or big'] })
      const { request, query } = call
      return deps.respondPreview({ drive: visit.drive, path }, { size, request, inline: query.inline === 'true', name: nameAt(visit, path) })
    }),
  )

  mount(app, calls.subtitle, (call) =>
    answer(call, (visit, path) => {
      needDownload(visit)
      return respondSubtitle(visit.drive, path, { request: call.request, inline: call.query.inline === 'true' })
    }),
  )
}

/** The owner lost the right, and with it the link its bytes: 404 as for everything that ended (decision 8). */
function needDownload({ drive }: Visit): void {
  if (!drive.may('download')) fail('not-found', {})
}

/** The path says nothing of what the shared node itself is called. */
function nameAt({ name }: Visit, path: FilePath): string | undefined {
  return path === ROOT ? name : undefined
}

/** A file as it is; a folder or several entries of it as an archive. */
async function send(
  { archives, rootName }: PublicDeps,
  visit: Visit,
  { call, path }: { call: Pick<Call<typeof calls.download>, 'query' | 'request'>; path: FilePath },
): Promise<Response> {
  needDownload(visit)
  const { share, drive } = visit
  const { request, query } = call
  const listed = share.folder ? askedFiles(path, query.files) : null
  if (listed === null && (await drive.stat(path)).stat.kind !== 'folder')
    return respondRaw(drive, path, { request, inline: query.inline === 'true', name: nameAt(visit, path) })
  return respondArchive(archives, drive, {
    request,
    paths: listed ?? [path],
    format: parseArchiveFormat(query.algo),
    rootName: visit.name || rootName,
    budgetKey: `share ${share.hash}`,
  })
}

async function describe(
  { writer }: PublicDeps,
  { drive, entry: start, name, share, ticket }: Visit,
  { call, path, form }: { call: PublicCall; path: FilePath; form: 'rows' | 'items' },
): Promise<Response> {
  const { request, peer } = call
  const entry = path === ROOT ? { ...start, name } : await drive.stat(path)
  const token = ticket === null ? {} : { token: ticket }
  if (entry.stat.kind !== 'folder') {
    const asked = share.folder ? path : ''
    const type = await sniffedType(drive, entry)
    // What lies beside a shared file is not shared.
    const subtitles = share.folder && type === 'video' ? await findSubtitles(drive, path, { signal: request.signal }) : []
    const file = { ...describeFile(entry, { asked, type }), ...(subtitles.length === 0 ? {} : { subtitles }), ...token }
    return respondJson({ bytes: new TextEncoder().encode(JSON.stringify(file)), mediaType: 'application/json', request, peer })
  }
  const asked = call.params.slash && path !== ROOT ? `${path}/` : path
  const task = await readFolder(drive, entry, { form, sorting: SORTING, asked, typeDetectionByHeader: false, signal: request.signal })
  const bytes = await writer.write({ ...task, head: { ...task.head, ...token } })
  return respondJson({ bytes, mediaType: form === 'rows' ? ROWS_MEDIA_TYPE : 'application/json', request, peer })
}

/** As our web and 2.63 send it, percent-encoded; what is not is taken as it is, as 2.17 sends it. */
function readPassword(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}
