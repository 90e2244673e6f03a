import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'

/** Bytes of files and of everything below folders, as far as the viewer sees them. */
export async function sizeOfAll(drive: Drive, paths: readonly FilePath[], { signal }: { signal: AbortSignal }): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const { stat } = await drive.stat(path)
    if (stat.kind === 'file') bytes += stat.size
    if (stat.kind !== 'folder') continue
    for await (const entry of drive.walk(path, { signal })) if (entry.stat.kind === 'file') bytes += entry.stat.size
  }
  return bytes
}
