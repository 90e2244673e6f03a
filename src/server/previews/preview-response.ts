import type { PreviewSize } from '../../shared/contract/previews.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { matchesEtag } from '../drive/etag.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import type { Previews } from './previews.ts'

export interface PreviewOptions {
  readonly size: PreviewSize
  /** Identifies the client: clients take turns when pictures must be generated. */
  readonly clientKey: string
  readonly request: Request
  readonly inline: boolean
  /** The file's name; by default that of the path. */
  readonly name?: string | undefined
  /** Whether the original is sent if it is small enough; if not, `not-previewable`. */
  readonly mayBeOriginal?: boolean
  readonly respondRaw: (
    drive: Drive,
    path: FilePath,
    options: { request: Request; inline: boolean; name?: string | undefined },
  ) => Promise<Response>
}

/** A picture of a file as a response. A client that has it already is told so before anything is read or generated. */
export async function respondPreview(
  previews: Previews,
  { drive, path }: { drive: Drive; path: FilePath },
  { size, clientKey, request, inline, name = nameOf(path), mayBeOriginal = true, respondRaw }: PreviewOptions,
): Promise<Response> {
  const plan = await previews.plan(drive, path, { size, name })
  if (plan.asItIs && !mayBeOriginal) fail('not-previewable', { path })
  if (plan.asItIs) return respondRaw(drive, path, { request, inline, name })
  const etag = `"${plan.key.slice(0, 32)}"`
  const { modified } = plan.entry.stat
  const known = matchesEtag(request.headers.get('if-none-match') ?? '', etag)
  const picture = known ? null : await previews.picture(drive, plan, { size, clientKey, signal: request.signal })
  const type = picture?.type ?? 'image/jpeg'
  return sendFile(request, asFile(new Blob(picture === null ? [] : [picture.bytes]), modified), {
    name: `${name}.${type === 'image/jpeg' ? 'jpg' : 'webp'}`,
    inline,
    contentType: type,
    downloadType: type,
    etag,
  })
}

function asFile(blob: Blob, modified: number): ServedFile {
  return {
    stat: { size: blob.size, modified },
    slice: (start, end) => blob.slice(start, end),
    stream: (start, end) => blob.slice(start, end).stream(),
    close: async () => {},
  }
}
