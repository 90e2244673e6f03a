import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { rightsOf } from '../access/permissions.ts'
import type { StagedFile } from '../storage/storage.ts'
import { requireRights } from './pause.ts'
import { type DriveContext, unless } from './context.ts'
import { requireUtf8 } from './publish.ts'
import { findTarget } from './target-path.ts'
import { whileAllowed } from './while-allowed.ts'

/** A staged file that accepts bytes only as long as their sender may store it there. */
export async function stageAt(context: DriveContext, id: string, path: FilePath): Promise<StagedFile> {
  await context.renew()
  refuseNow(context)
  // Where a link leads to another file system, the bytes belong there.
  const followed = await unless('already-exists', findTarget(context, requireUtf8(path), 'follow'))
  const { place } = followed ?? (await findTarget(context, path, 'keep'))
  const staged = context.storage.stage(id, { near: place.node })
  const check = (): void => {
    refuseNow(context)
    if (context.verdict(place) !== 'shown') fail('not-found', { path })
  }
  return {
    ...staged,
    append: (bytes, options = {}) =>
      whileAllowed(context, { signal: options.signal, check }, ({ signal, onBlock }) =>
        staged.append(bytes, {
          ...options,
          signal,
          onBytes() {
            options.onBytes?.()
            onBlock()
          },
        }),
      ),
  }
}

function refuseNow(context: DriveContext): void {
  if (!rightsOf(context.access.may).modify) requireRights(context, ['create'])
}
