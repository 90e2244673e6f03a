import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Kept } from '../storage/storage.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import type { TransferOptions } from './operation.ts'

interface Emptying {
  readonly context: DriveContext
  readonly settleLater: NonNullable<TransferOptions['settleLater']>
}

interface Merged {
  readonly from: ResolvedPath
  readonly to: ResolvedPath
}

/** Removes a folder that was merged with another one, and is empty now. It is kept out of sight, so that it can come back. */
export async function removeEmptied(
  { context, settleLater }: Emptying,
  { from: { node: from, path }, to: { node: to } }: Merged,
): Promise<void> {
  const { storage, versions, recorder } = context
  // Even if the target has gone, the source is still there.
  const there = await nullOn('not-found', storage.stat(to))
  await versions.emptying(from, async (keep) => {
    if (keep === undefined || there === null) return storage.remove(from)
    const row = await recorder.begin({ kind: 'move', path: to, origin: from, node: there, folder: true, version: keep.id })
    let isKept = false
    try {
      isKept = await keepEmpty(context, { from, path }, keep)
    } finally {
      if (isKept) settleLater(() => row.done())
      else row.failed()
    }
    if (!isKept) await storage.remove(from)
  })
}

/** @returns false if it cannot be kept. Fails with `busy` if somebody put something into it at the last moment. */
async function keepEmpty({ storage }: DriveContext, { from, path }: { from: FilePath; path: FilePath }, keep: Kept): Promise<boolean> {
  try {
    if ((await storage.keep(from, keep)) === null) return false
  } catch (error) {
    if (isAppError(error, 'storage-full') || isAppError(error, 'forbidden')) return false
    throw error
  }
  if ((await storage.listKept(keep, ROOT)).names.length === 0) return true
  await storage.restoreKept(keep, from, { replace: false })
  return fail('busy', { path })
}
