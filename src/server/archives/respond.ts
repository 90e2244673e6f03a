import { type ArchiveFormat, isLaidOut, type LaidOutFormat } from '../../shared/archive-format.ts'
import { fail } from '../../shared/errors.ts'
import { bytesOf } from '../../shared/file-part.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { respondStreamed, sendFile, type ServedFile, streamOf } from '../http/bytes.ts'
import { contentDisposition } from '../http/file-headers.ts'
import { createSemaphore, type Semaphore } from '../../shared/semaphore.ts'
import { inBatches } from './batches.ts'
import { type Checksums, createChecksums } from './checksums.ts'
import { CODECS } from './codecs.ts'
import { FRAMES } from './frames.ts'
import { layOut } from './layout.ts'
import { layoutBytes } from './layout-bytes.ts'
import { type Selection, selectPaths } from './selection.ts'
import { tarBytes } from './tar-stream.ts'

/** How many archives one user, or one share, may download at a time. Stored ones are cheap, and parallel downloaders request many ranges at once. */
export type ArchiveLimits = Readonly<Record<'stored' | 'compressed', Semaphore>>

const LIMITS = { stored: 16, compressed: 3 }
const RETRY_AFTER_SECONDS = 10

/** What archives share for as long as the server runs. */
export interface Archives {
  readonly checksums: Checksums
  readonly limits: ArchiveLimits
}

export function createArchives(deps: Parameters<typeof createChecksums>[0]): Archives {
  return { checksums: createChecksums(deps), limits: createArchiveLimits() }
}

export function createArchiveLimits(): ArchiveLimits {
  const limit = (count: number) => createSemaphore({ slots: Infinity, each: count, retryAfterSeconds: RETRY_AFTER_SECONDS })
  return { stored: limit(LIMITS.stored), compressed: limit(LIMITS.compressed) }
}

export interface ArchiveRequest {
  readonly request: Request
  /** The requested paths, as the drive's viewer sees them. */
  readonly paths: readonly FilePath[]
  readonly format: ArchiveFormat
  /** The name of the archive if it is the viewer's root. */
  readonly rootName: string
  /** Whose limit counts: a user's or a share's. */
  readonly clientKey: string
}

/** Large enough to be worth a write to the socket. */
const SENT_BYTES = 256 * 1024
/** Responses up to this size are assembled in memory. */
const HELD_BYTES = 2 * 1024 * 1024

/**
 * An archive as a response, walked and read only as fast as the client reads. Fails before anything is sent with `not-found`, `download-refused`,
 * `too-many-requests`, and for zip and tar as a file does (`precondition-failed`, `range-not-satisfiable`). A later failure closes the connection.
 */
export async function respondArchive(archives: Archives, plain: Drive, order: ArchiveRequest): Promise<Response> {
  // If something is denied while the archive is sent, the response fails; otherwise it would look complete.
  const drive = plain.strict()
  const { format, paths, clientKey } = order
  // What is in them and may not be downloaded is left out, and named.
  if (!paths.every((path) => drive.may('download', path))) fail('download-refused', {})
  const release = archives.limits[isLaidOut(format) ? 'stored' : 'compressed'].acquireNow(clientKey)
  try {
    const selection = await selectPaths(drive, paths, order)
    const name = `${selection.name}.${format}`
    return isLaidOut(format)
      ? await respondLaidOut({ archives, drive, selection, name, release }, { ...order, format })
      : respondStream({ drive, selection, name, release }, CODECS[format])
  } catch (error) {
    release()
    throw error
  }
}

interface Job {
  readonly drive: Drive
  readonly selection: Selection
  /** The name of the archive, with suffix. */
  readonly name: string
  readonly release: () => void
}

/** Zip and tar behave like a file: with length, ETag and ranges. */
async function respondLaidOut(
  { archives: { checksums }, drive, selection, name, release }: Job & { archives: Archives },
  { request, format }: { request: Request; format: LaidOutFormat },
): Promise<Response> {
  const frame = FRAMES[format]
  const layout = await layOut(drive, selection, { frame, name, signal: request.signal })
  const left = new AbortController()
  const parts = (start: number, end: number) =>
    inBatches(layoutBytes(layout, { drive, checksums, start, end, signal: left.signal }), SENT_BYTES)
  const file: ServedFile = {
    stat: { size: layout.size, modified: null },
    parts,
    stream: (start, end) => streamOf(bytesOf(parts(start, end)), { close: async () => left.abort() }),
    async close() {
      left.abort()
      release()
    },
  }
  const { mediaType } = frame
  return heldIfSmall(sendFile(request, file, { name, inline: false, contentType: mediaType, downloadType: mediaType, etag: layout.etag }))
}

/** A short response is complete before it is sent: every runtime sends its length, and a failure is an error instead of a broken connection. */
async function heldIfSmall(response: Response): Promise<Response> {
  const length = Number(response.headers.get('content-length') ?? Infinity)
  if (response.body === null || length > HELD_BYTES) return response
  return new Response(await response.bytes(), { status: response.status, headers: response.headers })
}

function respondStream({ drive, selection, name, release }: Job, { mediaType, compress }: (typeof CODECS)['tar.gz']): Response {
  const left = new AbortController()
  const bytes = compress(inBatches(tarBytes(drive, selection, { signal: left.signal }), SENT_BYTES))
  const headers = {
    'accept-ranges': 'none',
    'cache-control': 'private',
    'content-disposition': contentDisposition(name, { inline: false }),
    'content-type': mediaType,
    'x-content-type-options': 'nosniff',
  }
  const close = async (): Promise<void> => {
    left.abort()
    release()
  }
  return respondStreamed(inBatches(bytes, SENT_BYTES), { close, headers })
}
