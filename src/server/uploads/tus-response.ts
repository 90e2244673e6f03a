import { OFFSET_MEDIA_TYPE, TUS_EXTENSIONS, TUS_MAX_SIZE, TUS_VERSION } from '../../shared/contract/tus.ts'
import { fail } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'
import { statusResponse } from '../http/errors.ts'
import { begin, cancel, isFinished, offset, appendBytes, type Progress, type UploadsDeps } from './uploads.ts'
import type { UploadTarget } from './choose-upload.ts'

/** An upload and its client: the target, and the Drive of the client. */
export interface TusCall {
  readonly place: UploadTarget
  readonly drive: Drive
  readonly request: Request
}

/** OPTIONS: the supported tus features. */
export function respondDescribed(): Response {
  const headers = { 'Tus-Version': TUS_VERSION, 'Tus-Extension': TUS_EXTENSIONS.join(','), 'Tus-Max-Size': String(TUS_MAX_SIZE) }
  return new Response(null, { status: 204, headers })
}

/** POST: announces a file, and accepts its first bytes. */
export async function respondCreated(
  deps: UploadsDeps,
  { place, drive, request }: TusCall,
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
      : await appendBytes(deps, drive, {
          ...place,
          key: begun.key,
          offset: 0,
          size: declaredSize(request),
          body: bytes,
          client: request.signal,
        })
  return statusResponse(201, { location: location(begun.key), ...progressHeaders(now) })
}

/** HEAD and GET: the current offset. */
export async function respondOffset(deps: UploadsDeps, { place, drive, request }: TusCall): Promise<Response> {
  // A finished upload does not exist for the predecessor's clients; a tus client may have missed the last response, and learns that all went well.
  if (!request.headers.has('tus-resumable') && (await isFinished(deps, place))) fail('not-found', { path: place.path })
  const now = await offset(deps, drive, place)
  const metadata: Record<string, string> = now.stamp === '' ? {} : { 'Upload-Metadata': now.stamp }
  const headers = { ...progressHeaders(now), ...metadata, 'Upload-Length': String(now.length), 'cache-control': 'no-store' }
  return new Response(null, { status: 200, headers })
}

/** PATCH: appends bytes. @param at the client's Upload-Offset */
export async function respondAppended(
  deps: UploadsDeps,
  { place, drive, request }: TusCall,
  { at, body }: { at: string | undefined; body: ReadableStream<Uint8Array> | null },
): Promise<Response> {
  if (!isOffsetBytes(request)) fail('unsupported-media-type', { expected: OFFSET_MEDIA_TYPE })
  const from = readOffset(at)
  const now = await appendBytes(deps, drive, { ...place, offset: from, size: declaredSize(request), body, client: request.signal })
  return new Response(null, { status: 204, headers: progressHeaders(now) })
}

/** DELETE: removes an unfinished upload. */
export async function respondCancelled(deps: UploadsDeps, { place, drive }: TusCall): Promise<Response> {
  await cancel(deps, drive, place)
  return new Response(null, { status: 204 })
}

function progressHeaders({ offset: at, length, expires }: Progress): Record<string, string> {
  // In the case of the protocol: some clients compare names case-sensitively (decision 035).
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
