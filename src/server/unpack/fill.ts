import { fail } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'

type StagedFile = Awaited<ReturnType<Drive['stage']>>

/** Bytes that are joined before they are written: most files are shorter. */
const PIECE_BYTES = 1024 * 1024

/**
 * Writes bytes of unknown length. Fails with `storage-full` before the disk is full.
 * @param options.space free bytes at the start
 * @returns the number of bytes
 */
export async function fillStaged(
  staged: StagedFile,
  bytes: AsyncIterable<Uint8Array>,
  { space, signal }: { space: number; signal: AbortSignal },
): Promise<number> {
  let waiting: Uint8Array[] = []
  let length = 0
  let total = 0
  const write = async (): Promise<void> => {
    await staged.append(Buffer.concat(waiting), { signal })
    waiting = []
    length = 0
  }
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.length
    total += chunk.length
    if (total > space) fail('storage-full', {})
    if (length >= PIECE_BYTES) await write()
  }
  // Also creates an empty file.
  if (length > 0 || total === 0) await write()
  return total
}
