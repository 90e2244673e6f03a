import { type ArchiveFormat, isLaidOut } from '../../shared/archive-format.ts'
import { bytesOf } from '../../shared/file-part.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { inBatches } from './batches.ts'
import type { Checksums } from './checksums.ts'
import { CODECS } from './codecs.ts'
import { layOut } from './layout.ts'
import { layoutBytes } from './layout-bytes.ts'
import { FRAMES } from './frames.ts'
import type { OnSkipped } from './skipped.ts'
import { selectPaths } from './selection.ts'
import { tarBytes } from './tar-stream.ts'

const PIECE_BYTES = 1024 * 1024

export interface ArchiveStreamOptions {
  readonly format: ArchiveFormat
  readonly checksums: Checksums
  readonly signal: AbortSignal
  /** Called with the number of bytes read, which differs from the number written. */
  readonly onRead: (bytes: number) => void
  /** Called for what cannot be read; the archive contains a list of it. */
  readonly onSkipped: OnSkipped
}

/** An archive as one stream, for storing it: the same bytes as a download. Fails as `respondArchive` does. */
export async function* archiveStream(
  plain: Drive,
  paths: readonly FilePath[],
  { format, checksums, signal, onRead, onSkipped }: ArchiveStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const drive = plain.strict()
  const selection = await selectPaths(drive, paths, { rootName: '' })
  if (isLaidOut(format)) {
    const layout = await layOut(drive, selection, { frame: FRAMES[format], name: selection.name, signal, onSkipped })
    yield* inBatches(counted(bytesOf(layoutBytes(layout, { drive, checksums, start: 0, end: layout.size, signal })), onRead), PIECE_BYTES)
  } else {
    const tar = counted(tarBytes(drive, selection, { signal, onSkipped }), onRead)
    yield* inBatches(CODECS[format].compress(inBatches(tar, PIECE_BYTES / 4)), PIECE_BYTES)
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    onRead(chunk.length)
    yield chunk
  }
}
