import { fail, nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { StagedFile } from '../storage/storage.ts'
import { whileAllowed } from './checkpoint.ts'
import type { DriveContext } from './context.ts'
import { requireUtf8 } from './publish.ts'
import { askedPlace, requireRights, type RightsPlace, rightsOfPlace } from './rights.ts'
import { findTarget } from './target-path.ts'

export interface StageOptions {
  readonly id: string
  readonly isNew?: boolean
  /** Bytes; room for them is reserved before the first one is read. */
  readonly announced?: number | undefined
  /** The reservation from which it takes its room (`Drive.reserve`). */
  readonly from?: string | undefined
}

/** A staged file that accepts bytes only while the viewer may store it at `path`. */
export async function stageAt(
  context: DriveContext,
  path: FilePath,
  { id, isNew = false, from, announced }: StageOptions,
): Promise<StagedFile> {
  await context.renew()
  refuseNow(context, askedPlace(context.access, path))
  // If a link leads to another file system, the bytes are staged there.
  using followed = await nullOn('already-exists', findTarget(context, requireUtf8(path), 'follow'))
  using asked = followed === null ? await findTarget(context, path, 'keep') : null
  const { place } = followed ?? asked ?? fail('not-found', { path })
  refuseNow(context, place)
  const staged = context.storage.stage(id, { near: place.node, isNew, from, announced })
  const check = (): void => {
    refuseNow(context, place)
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

function refuseNow(context: DriveContext, place: RightsPlace): void {
  if (!rightsOfPlace(context, place).modify) requireRights(context, place, ['create'])
}
