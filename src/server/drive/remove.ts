import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import type { NodeKind } from '../storage/storage.ts'
import type { DeedOptions } from './drive.ts'
import { steppingFor } from './pause.ts'
import { arrivingAt, type DriveContext, type ResolvedPath, seenAs, unless, whereOf } from './context.ts'
import { childrenIn } from './walk.ts'

export interface Steps {
  readonly signal?: AbortSignal
  /** Between any two nodes. */
  readonly turn: () => Promise<void>
}

export async function removeAt(
  { strict: context }: DriveContext,
  path: FilePath,
  { signal, ready }: DeedOptions & { signal?: AbortSignal } = {},
): Promise<void> {
  if (path === ROOT) fail('forbidden', { right: 'delete' })
  using place = await context.find(path, 'keep')
  const { kind } = place.stat ?? fail('not-found', { path })
  const steps = { signal, turn: steppingFor(context, { signal, rights: ['delete'] }) }
  await refuseDenied(context, { from: place, to: null, kind, right: 'delete' }, steps)
  await ready?.(path)
  await removeTree(context, place, kind, steps)
}

/** Everything below first. What somebody else removed meanwhile is as good as removed. */
export async function removeTree(context: DriveContext, place: ResolvedPath, kind: NodeKind, steps: Steps): Promise<void> {
  await steps.turn()
  // A rule may have reached a node that came after everything was checked.
  if (context.verdict(place) === 'denied') fail('forbidden', { right: 'delete' })
  const { storage } = context
  if (kind === 'folder') {
    const columns = await unless('not-found', storage.list(whereOf(place), { signal: steps.signal }))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeTree(context, child.place, child.kind, steps)
  }
  await unless('not-found', storage.remove(whereOf(place)))
}

interface Passage {
  readonly from: ResolvedPath
  /** Where it is going; null for nowhere. */
  readonly to: ResolvedPath | null
  readonly kind: NodeKind
  readonly right: string
}

/**
 * Fails with `forbidden` where a rule denies any node of a tree, or the place that it would get (GHSA-77x8-73f4-5485). Also where a place that a
 * rule names in it is not there: whether it is must not be told by whether the folder may go (decision 024).
 */
export async function refuseDenied(context: DriveContext, passage: Passage, steps: Steps): Promise<void> {
  const { rules } = context.access
  if (rules.neverDenies) return
  if (passage.kind === 'folder' && [passage.from.alias, passage.from.real].some((path) => rules.deniesBelow(path)))
    fail('forbidden', { right: passage.right })
  await refuseDeniedIn(context, passage, steps)
}

async function refuseDeniedIn(context: DriveContext, passage: Passage, steps: Steps): Promise<void> {
  const { from, to, kind, right } = passage
  await steps.turn()
  if (context.verdict(from) === 'denied' || (to !== null && context.verdict(to) === 'denied')) fail('forbidden', { right })
  if (kind !== 'folder') return
  const columns = await seenAs(from.path, context.storage.list(whereOf(from), { signal: steps.signal }))
  for (const child of childrenIn(from, columns)) {
    const next = to && (await arrivingAt(context, to, nameOf(child.place.path)))
    await refuseDeniedIn(context, { from: child.place, to: next, kind: child.kind, right }, steps)
  }
}
