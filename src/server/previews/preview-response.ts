import type { PreviewSize } from '../../shared/contract/previews.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { matchesEtag } from '../drive/etag.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import type { Rendition } from './picture.ts'
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

/** A picture of a file, or its PDF, as a response. A client that has it already is told so before anything is read or generated. */
export async function respondPreview(
  previews: Previews,
  { drive, path }: { drive: Drive; path: FilePath },
  { size, clientKey, request, inline, name = nameOf(path), mayBeOriginal = true, respondRaw }: PreviewOptions,
): Promise<Response> {
  // A PDF has all the text of the document.
  if (size === 'pdf' && !mayBeOriginal) fail('not-previewable', { path })
  const plan = await previews.plan(drive, path, { size, name })
  if (plan.asItIs && !mayBeOriginal) fail('not-previewable', { path })
  if (plan.asItIs) return respondRaw(drive, path, { request, inline, name })
  const etag = `"${plan.key.slice(0, 32)}"`
  const { modified } = plan.entry.stat
  const known = matchesEtag(request.headers.get('if-none-match') ?? '', etag)
  const made = known ? null : await previews.rendition(drive, plan, { size, clientKey, signal: request.signal })
  // It may have been made for somebody else, and it takes up to a minute and a half to make one.
  if (!(await drive.rights(path)).download) fail('download-refused', {})
  const type = made?.type ?? (size === 'pdf' ? 'application/pdf' : 'image/jpeg')
  return sendFile(request, asFile(new Blob(made === null ? [] : [made.bytes]), modified), {
    name: `${name}.${EXTENSIONS[type]}`,
    inline,
    contentType: type,
    downloadType: type,
    etag,
  })
}

const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/webp': 'webp', 'application/pdf': 'pdf' } satisfies Record<Rendition['type'], string>

function asFile(blob: Blob, modified: number): ServedFile {
  return {
    stat: { size: blob.size, modified },
    slice: (start, end) => blob.slice(start, end),
    stream: (start, end) => blob.slice(start, end).stream(),
    close: async () => {},
  }
}
