import { fail } from '../../shared/errors.ts'
import type { NodeKind } from '../storage/storage.ts'
import { childPath, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import type { Checkpoints } from './checkpoint.ts'
import { childrenIn } from './walk.ts'

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
