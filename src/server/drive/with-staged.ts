import { randomUUID } from 'node:crypto'
import type { FilePath } from '../../shared/file-path.ts'
import type { StagedFile } from '../storage/storage.ts'
import type { Drive } from './drive.ts'

interface WithStagedOptions {
  /** The reservation from which it takes its room. */
  readonly from?: string
  /** What was announced; room for it is reserved first, and `quota-exceeded` fails before anything is staged. Null if nothing was announced. */
  readonly announced?: { readonly bytes: number; readonly replace: boolean } | null
}

/** Runs `work` with a new staged file for `path`, and discards the file if the work fails. */
export async function withStaged<Value>(
  drive: Drive,
  path: FilePath,
  work: (staged: StagedFile) => Promise<Value>,
  { from, announced = null }: WithStagedOptions = {},
): Promise<Value> {
  if (announced !== null) {
    const reservation = randomUUID()
    await drive.reserve(reservation, [{ path, ...announced }], 'request')
    try {
      return await withStaged(drive, path, work, { from: reservation })
    } finally {
      await drive.release(reservation)
    }
  }
  const staged = await drive.stage(path, { id: randomUUID(), isNew: true, from })
  try {
    return await work(staged)
  } catch (error) {
    await staged.discard().catch(() => undefined)
    throw error
  }
}
