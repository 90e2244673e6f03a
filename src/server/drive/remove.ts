import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import type { NodeKind } from '../storage/storage.ts'
import type { OperationOptions } from './operation.ts'
import { checkpointFor } from './checkpoint.ts'
import { childPath, type DriveContext, type ResolvedPath, withErrorPath, whereOf } from './context.ts'
import { childrenIn } from './walk.ts'

/** Passed along by work on a whole tree. */
export interface Checkpoints {
  readonly signal?: AbortSignal
  /** Awaited before each node. */
  readonly checkpoint: () => Promise<void>
}

export async function removeAt(
  { strict: context }: DriveContext,
  path: FilePath,
  { signal, ready }: OperationOptions & { signal?: AbortSignal } = {},
): Promise<void> {
  if (path === ROOT) fail('forbidden', { right: 'delete' })
  using place = await context.find(path, 'keep')
  const { kind } = place.stat ?? fail('not-found', { path })
  const steps = { signal, checkpoint: checkpointFor(context, { signal, rights: ['delete'] }) }
  await refuseDenied(context, { from: place, to: null, kind, right: 'delete' }, steps)
  await ready?.(path)
  await removeTree(context, place, kind, steps)
}

/** Removes everything below first. Nodes that have disappeared in the meantime are fine. */
export async function removeTree(context: DriveContext, place: ResolvedPath, kind: NodeKind, steps: Checkpoints): Promise<void> {
  await steps.checkpoint()
  // The node may have appeared after everything was checked.
  if (context.verdict(place) === 'denied') fail('forbidden', { right: 'delete' })
  const { storage } = context
  if (kind === 'folder') {
    const columns = await nullOn('not-found', storage.list(whereOf(place), { signal: steps.signal }))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeTree(context, child.place, child.kind, steps)
  }
  await nullOn('not-found', storage.remove(whereOf(place)))
}

interface Change {
  readonly from: ResolvedPath
  /** The new path of a move; null for a removal. */
  readonly to: ResolvedPath | null
  readonly kind: NodeKind
  readonly right: string
}

/**
 * Fails with `forbidden` if a rule denies any node of a tree by its old or new path (GHSA-77x8-73f4-5485). Also if a path that a rule names in it
 * does not exist: the result must not reveal whether it does (decision 024).
 */
export async function refuseDenied(context: DriveContext, change: Change, steps: Checkpoints): Promise<void> {
  const { rules } = context.access
  if (rules.neverDenies) return
  if (change.kind === 'folder' && [change.from.alias, change.from.real].some((path) => rules.deniesBelow(path)))
    fail('forbidden', { right: change.right })
  await refuseDeniedIn(context, change, steps)
}

async function refuseDeniedIn(context: DriveContext, change: Change, steps: Checkpoints): Promise<void> {
  const { from, to, kind, right } = change
  await steps.checkpoint()
  if (context.verdict(from) === 'denied' || (to !== null && context.verdict(to) === 'denied')) fail('forbidden', { right })
  if (kind !== 'folder') return
  const columns = await withErrorPath(from.path, context.storage.list(whereOf(from), { signal: steps.signal }))
  for (const child of childrenIn(from, columns)) {
    const next = to && (await childPath(context, to, nameOf(child.place.path)))
    await refuseDeniedIn(context, { from: child.place, to: next, kind: child.kind, right }, steps)
  }
}
