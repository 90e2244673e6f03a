import { fail } from '../../shared/errors.ts'
import type { NodeKind } from '../storage/storage.ts'
import { arrivingAt, type DriveContext, type ResolvedPath, seenAs, whereOf } from './context.ts'
import type { Steps } from './remove.ts'
import { childrenIn } from './walk.ts'

interface Pair {
  readonly from: ResolvedPath
  readonly kind: NodeKind
  readonly to: ResolvedPath
  /** Whether what the viewer cannot see comes along. What does not is nobody's to clash with. */
  readonly hidden: 'leave' | 'take'
}

/** Fails with `already-exists` where two trees cannot become one: only a file gives way to something, and only a folder takes a folder in. */
export async function refuseClash(context: DriveContext, { from, kind, to, hidden }: Pair, steps: Steps): Promise<void> {
  await steps.turn()
  const there = await context.storage.stat(whereOf(to))
  if (there === null) return
  if ((kind === 'folder') !== (there.kind === 'folder') || (kind !== 'folder' && there.kind !== 'file'))
    fail('already-exists', { path: to.path })
  if (kind !== 'folder') return
  const columns = await seenAs(from.path, context.storage.list(whereOf(from), { signal: steps.signal }))
  for (const child of childrenIn(from, columns)) {
    if (hidden === 'leave' && context.verdict(child.place) !== 'shown') continue
    await refuseClash(context, { from: child.place, kind: child.kind, to: await arrivingAt(context, to, child.name), hidden }, steps)
  }
}
