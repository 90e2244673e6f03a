import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { rightsOf } from '../access/permissions.ts'
import type { StagedFile } from '../storage/storage.ts'
import { requireRights } from './pause.ts'
import { type Ground, unless } from './place.ts'
import { requireUtf8 } from './publish.ts'
import { findSpot } from './spot.ts'
import { whileAllowed } from './while-allowed.ts'

/** A staged file that accepts bytes only as long as their sender may store it there. */
export async function stageAt(ground: Ground, id: string, path: FilePath): Promise<StagedFile> {
  await ground.renew()
  refuseNow(ground)
  // Where a link leads to another file system, the bytes belong there.
  const followed = await unless('already-exists', findSpot(ground, requireUtf8(path), 'follow'))
  const { place } = followed ?? (await findSpot(ground, path, 'keep'))
  const staged = ground.storage.stage(id, { near: place.node })
  const check = (): void => {
    refuseNow(ground)
    if (ground.verdict(place) !== 'shown') fail('not-found', { path })
  }
  return {
    ...staged,
    append: (bytes, options = {}) =>
      whileAllowed(ground, { signal: options.signal, check }, ({ signal, onBlock }) =>
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

function refuseNow(ground: Ground): void {
  if (!rightsOf(ground.access.may).modify) requireRights(ground, ['create'])
}
