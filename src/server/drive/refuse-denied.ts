import { fail } from '../../shared/errors.ts'
import { nameOf } from '../../shared/file-path.ts'
import type { NodeKind } from '../storage/storage.ts'
import type { Checkpoints } from './checkpoint.ts'
import { childPath, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import { hasSameRightsBelow, refuseTransfer, requireRights } from './rights.ts'
import { childrenIn } from './walk.ts'

interface Change {
  readonly from: ResolvedPath
  readonly to: ResolvedPath | null
  readonly kind: NodeKind
  readonly right: 'delete' | 'rename'
  readonly replace: boolean
}

/**
 * Fails with `forbidden` if a rule denies any node of a tree by its old or new path (GHSA-77x8-73f4-5485), or the right to it is missing. Also if a path
 * that a rule denies in it does not exist: the result must not reveal whether it does (decision 024).
 */
export async function refuseDenied(context: DriveContext, change: Change, steps: Checkpoints): Promise<void> {
  const { rules } = context.access
  if (rules.neverDenies && rules.grants.isUniform) return
  if (change.kind === 'folder' && [change.from.alias, change.from.real].some((path) => rules.deniesBelow(path)))
    fail('forbidden', { right: change.right })
  // A target may hold links, so only the walk knows the paths there.
  if (change.to === null && deniesNothingIn(context, change.from) && hasSameRightsBelow(context, change.from))
    return requireRights(context, change.from, ['delete'])
  await refuseDeniedIn(context, change, steps)
}

/** Whether the rules alone say that nothing is denied in a tree, so that it need not be walked: they deny plain paths, all of them elsewhere. */
export function deniesNothingIn({ access: { rules } }: DriveContext, { alias, real }: Pick<ResolvedPath, 'alias' | 'real'>): boolean {
  return [alias, real].every((path) => rules.shownBelow(path) !== 'unknown')
}

async function refuseDeniedIn(context: DriveContext, change: Change, steps: Checkpoints): Promise<void> {
  const { from, to, kind, right, replace } = change
  await steps.checkpoint()
  if (context.verdict(from) === 'denied' || (to !== null && context.verdict(to) === 'denied')) fail('forbidden', { right })
  if (right === 'delete' || to === null) requireRights(context, from, [right])
  else refuseTransfer(context, { from, to, right, replace: replace && kind !== 'folder' })
  if (kind !== 'folder') return
  const columns = await withErrorPath(from.path, context.storage.list(from.node, { signal: steps.signal }))
  for (const child of childrenIn(from, columns)) {
    const next = to && (await childPath(context, to, nameOf(child.place.path)))
    await refuseDeniedIn(context, { ...change, from: child.place, to: next, kind: child.kind }, steps)
  }
}

interface Pair {
  readonly from: ResolvedPath
  readonly kind: NodeKind
  readonly to: ResolvedPath
  /** Whether nodes that the viewer cannot see are transferred. Nodes that are left cannot conflict. */
  readonly hidden: 'leave' | 'take'
}

/** Fails with `already-exists` if two trees cannot be merged: only files can be replaced, and only folders merged. */
export async function refuseConflict(context: DriveContext, { from, kind, to, hidden }: Pair, steps: Checkpoints): Promise<void> {
  await steps.checkpoint()
  const there = await context.storage.stat(to.node)
  if (there === null) return
  if ((kind === 'folder') !== (there.kind === 'folder') || (kind !== 'folder' && there.kind !== 'file'))
    fail('already-exists', { path: to.path })
  if (kind !== 'folder') return
  const columns = await withErrorPath(from.path, context.storage.list(from.node, { signal: steps.signal }))
  for (const child of childrenIn(from, columns)) {
    if (hidden === 'leave' && context.verdict(child.place) !== 'shown') continue
    await refuseConflict(context, { from: child.place, kind: child.kind, to: await childPath(context, to, child.name), hidden }, steps)
  }
}
