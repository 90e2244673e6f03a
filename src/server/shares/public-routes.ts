import type { Hono } from 'hono'
import { shared as calls } from '../../shared/contract/public.ts'
import { ROWS_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { respondJson } from '../files/encoding.ts'
import type { FolderWriter } from '../files/folder-writer.ts'
import { describeFile, readFolder, sniffedType } from '../files/listing.ts'
import { respondRaw } from '../files/raw-response.ts'
import { respondSubtitle } from '../files/subtitle-response.ts'
import { type Call, type Env, mount } from '../http/mount.ts'
import { openTicketCookie, ticketsIn } from './ticket-cookie.ts'
import type { OpenVisit, Visit } from './visit.ts'

export interface PublicDeps {
  readonly visit: OpenVisit
  readonly writer: FolderWriter
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
      return await answer(call, (visit, path) => {
        needDownload(visit)
        const name = path === ROOT ? visit.name : undefined
        return respondRaw(visit.drive, path, { request: call.request, inline: call.query.inline === 'true', name })
      })
    } catch (error) {
      if (!isAppError(error, 'share-password-needed') || call.request.headers.get('sec-fetch-mode') !== 'navigate') throw error
      // Somebody followed a copied link or a QR code: there the password is asked for (decision 25).
      return new Response(null, { status: 302, headers: { location: `${baseUrl}/share/${encodeURIComponent(call.params.hash)}/` } })
    }
  })

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
    const file = { ...describeFile(entry, { asked, type: await sniffedType(drive, entry) }), ...token }
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
