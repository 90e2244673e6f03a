import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { NodeKind } from '../storage/storage.ts'
import type { Trashed } from './bin.ts'
import type { RemoveOptions } from './operation.ts'
import { checkpointFor, type Checkpoints } from './checkpoint.ts'
import { type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import { refuseDenied } from './refuse-denied.ts'
import { requireRights } from './rights.ts'
import { childrenIn } from './walk.ts'

export async function removeAt(
  { strict: context }: DriveContext,
  path: FilePath,
  { signal, ready, permanent = false, onlyKept = false }: RemoveOptions = {},
): Promise<Trashed | null> {
  if (path === ROOT) fail('forbidden', { right: 'delete' })
  const { bin } = context
  using place = await context.find(path, 'keep')
  const stat = place.stat ?? fail('not-found', { path })
  if (context.storage.isFixed?.(place.node) === true) fail('busy', { path })
  const steps = { signal, checkpoint: checkpointFor(context, { signal, needs: { place, rights: ['delete'] } }) }
  const refuse = () => refuseDenied(context, { from: place, to: null, kind: stat.kind, right: 'delete', replace: false }, steps)
  await refuse()
  await ready?.(path)
  await steps.checkpoint()
  if (!permanent) {
    // Hooks may have taken minutes, and the whole tree moves in one step.
    await refuse()
    const trashed = await withErrorPath(path, bin.keep(place.node, stat))
    if (trashed !== null) return trashed
    if (onlyKept) fail('forbidden', { right: 'delete' })
  }
  const change = { kind: 'delete', path: place.node, node: stat, folder: stat.kind === 'folder' } as const
  const row = await context.recorder.begin(change)
  try {
    await removeTree(context, place, stat.kind, steps)
    row.done()
  } catch (error) {
    if ((await context.storage.stat(place.node).catch(() => stat)) === null) row.done()
    else row.failed()
    throw error
  }
  return null
}

/** Removes everything below first. Nodes that have disappeared in the meantime are fine. */
async function removeTree(context: DriveContext, place: ResolvedPath, kind: NodeKind, steps: Checkpoints): Promise<void> {
  await steps.checkpoint()
  // The node may have appeared after everything was checked.
  if (context.verdict(place) === 'denied') fail('forbidden', { right: 'delete' })
  requireRights(context, place, ['delete'])
  const { storage } = context
  if (kind === 'folder') {
    const columns = await nullOn('not-found', storage.list(place.node, { signal: steps.signal }))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeTree(context, child.place, child.kind, steps)
  }
  await nullOn('not-found', storage.remove(place.node))
}
