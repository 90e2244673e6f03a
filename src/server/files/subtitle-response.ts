import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { extensionOf } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { sendFile } from '../http/bytes.ts'
import { isSubtitle } from './subtitle-search.ts'
import { assToVtt, MAX_SUBTITLE_BYTES, srtToVtt } from './subtitles.ts'
import { decodeForReading } from '../../shared/text-content.ts'
import { etagOf } from '../drive/etag.ts'

export interface SubtitleOptions {
  request: Request
  inline: boolean
}

/** A subtitle file as WebVTT, whatever its format. */
export async function respondSubtitle(drive: Drive, path: FilePath, { request, inline }: SubtitleOptions): Promise<Response> {
  const { stat } = await drive.stat(path)
  const name = nameOf(path)
  if (stat.kind !== 'file' || !isSubtitle(name)) fail('invalid-input', { issues: ['path: not a subtitle file'] })
  if (stat.size > MAX_SUBTITLE_BYTES) fail('too-large', { limit: MAX_SUBTITLE_BYTES })
  const file = await drive.open(path)
  const options = { name, inline, contentType: 'text/vtt; charset=utf-8', downloadType: 'text/vtt; charset=utf-8', etag: etagOf(file.stat) }
  const extension = extensionOf(name).toLowerCase()
  if (extension === '.vtt') return sendFile(request, file, options)
  await using source = file
  const text = decodeForReading(await source.peek(0, Math.min(source.stat.size, MAX_SUBTITLE_BYTES)))
  const vtt = new Blob([extension === '.srt' ? srtToVtt(text) : assToVtt(text)])
  return sendFile(request, asFile(vtt, source.stat.modified), options)
}

function asFile(blob: Blob, modified: number): Parameters<typeof sendFile>[1] {
  return {
    stat: { size: blob.size, modified },
    slice: (start, end) => blob.slice(start, end),
    stream: (start, end) => blob.slice(start, end).stream(),
    close: async () => {},
  }
}
