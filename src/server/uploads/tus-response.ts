import { OFFSET_MEDIA_TYPE, TUS_EXTENSIONS, TUS_MAX_SIZE, TUS_VERSION } from '../../shared/contract/tus.ts'
import { fail } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'
import { statusResponse } from '../http/errors.ts'
import { begin, cancel, isFinished, offset, type UploadTarget, proceed, type Progress, type UploadsDeps } from './uploads.ts'

/** An upload and who asks about it: its place, and the storage as the asker may use it. */
export interface TusCall {
  readonly place: UploadTarget
  readonly drive: Drive
  /** As of when the bytes are there; `drive` where nobody says. */
  readonly driveNow?: () => Promise<Drive>
  readonly request: Request
}

/** OPTIONS: what this server knows of tus. */
export function respondDescribed(): Response {
  const headers = { 'Tus-Version': TUS_VERSION, 'Tus-Extension': TUS_EXTENSIONS.join(','), 'Tus-Max-Size': String(TUS_MAX_SIZE) }
  return new Response(null, { status: 204, headers })
}

/** POST: announces a file, and takes the first bytes along when they come with it. */
export async function respondCreated(
  deps: UploadsDeps,
  { place, drive, driveNow, request }: TusCall,
  {
    length,
    stamp = '',
    replace,
    location,
  }: { length: number; stamp?: string | undefined; replace: boolean; location: (upload: string) => string },
): Promise<Response> {
  const begun = await begin(deps, drive, { ...place, length, stamp, replace })
  const bytes = begun.offset === 0 && begun.length > 0 && isOffsetBytes(request) ? request.body : null
  const now =
    bytes === null
      ? begun
      : await proceed(deps, drive, {
          ...place,
          key: begun.key,
          driveNow,
          offset: 0,
          size: declaredSize(request),
          body: bytes,
          client: request.signal,
        })
  return statusResponse(201, { location: location(begun.key), ...progressHeaders(now) })
}

/** HEAD and GET: where to go on. */
export async function respondOffset(deps: UploadsDeps, { place, drive, request }: TusCall): Promise<Response> {
  // A finished upload is none for the predecessor's clients; a tus client may have missed the last answer, and learns that all went well.
  if (!request.headers.has('tus-resumable') && (await isFinished(deps, place))) fail('not-found', { path: place.path })
  const now = await offset(deps, drive, place)
  const metadata: Record<string, string> = now.stamp === '' ? {} : { 'Upload-Metadata': now.stamp }
  const headers = { ...progressHeaders(now), ...metadata, 'Upload-Length': String(now.length), 'cache-control': 'no-store' }
  return new Response(null, { status: 200, headers })
}

/** PATCH: takes in bytes. @param at the client's Upload-Offset */
export async function respondAppended(
  deps: UploadsDeps,
  { place, drive, driveNow, request }: TusCall,
  { at, body }: { at: string | undefined; body: ReadableStream<Uint8Array> | null },
): Promise<Response> {
  if (!isOffsetBytes(request)) fail('unsupported-media-type', { expected: OFFSET_MEDIA_TYPE })
  const from = readOffset(at)
  const now = await proceed(deps, drive, { ...place, driveNow, offset: from, size: declaredSize(request), body, client: request.signal })
  return new Response(null, { status: 204, headers: progressHeaders(now) })
}

/** DELETE: forgets an unfinished upload. */
export async function respondCancelled(deps: UploadsDeps, { place, drive }: TusCall): Promise<Response> {
  await cancel(deps, drive, place)
  return new Response(null, { status: 204 })
}

function progressHeaders({ offset: at, length, expires }: Progress): Record<string, string> {
  // Written as the protocol writes them: some clients compare names by case (decision 035).
  const headers = { 'Upload-Offset': String(at) }
  return at === length ? headers : { ...headers, 'Upload-Expires': expires.toUTCString() }
}

function readOffset(text = ''): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : fail('invalid-input', { issues: ['upload-offset: a whole number of bytes'] })
}

function isOffsetBytes(request: Request): boolean {
  return request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === OFFSET_MEDIA_TYPE
}

function declaredSize(request: Request): number | null {
  const text = request.headers.get('content-length')
  return text === null ? null : Number(text)
}
