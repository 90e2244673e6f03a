import type { Gesture } from '../../shared/contract/operations.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { planOf } from './plan.ts'
import { seenBy } from './seen.ts'
import { follow } from './followed.ts'
import { gestureOf } from './gestures.ts'
import type { Rows } from './rows.ts'

const GESTURES = 200

/** The gestures of a user as two stacks: what can be taken back, and what was taken back and can be done again. The last is the next. */
async function stacksOf(rows: Rows, userId: number): Promise<{ undo: string[]; redo: string[] }> {
  const undo = new Set<string>()
  const redo = new Set<string>()
  /** Of each gesture, the doing that it belongs to, and how often that was taken back and done again. */
  const roots = new Map<string, { group: string; depth: number }>()
  for (const group of (await rows.groupsOf(userId, { limit: GESTURES })).toReversed()) {
    const [first] = await rows.ofGroup(group, { limit: 1 })
    if (first === undefined || (first.by.via !== 'web' && first.by.via !== 'job')) continue
    const reverted = first.reverts === null ? null : await rows.find(first.reverts)
    const before = reverted === null ? undefined : roots.get(reverted.group)
    if (first.reverts !== null && before === undefined) continue
    const root = before === undefined ? { group, depth: 0 } : { group: before.group, depth: before.depth + 1 }
    roots.set(group, root)
    const isUndoing = root.depth % 2 === 1
    undo.delete(root.group)
    redo.delete(root.group)
    if (root.depth === 0) redo.clear()
    if (isUndoing) redo.add(root.group)
    else undo.add(root.group)
  }
  return { undo: [...undo], redo: [...redo] }
}

/** What the viewer did last in the web and can take back, and what they took back last and can do again. */
export async function latestOf(
  { rows, driveFor }: { rows: Rows; driveFor: DriveFor },
  { access, userId }: Viewer,
): Promise<{ undo: Gesture | null; redo: Gesture | null }> {
  await rows.settled()
  const seen = await seenBy(driveFor(access), userId)
  const stacks = await stacksOf(rows, userId)
  const newest = async (groups: readonly string[], parity: number): Promise<Gesture | null> => {
    for (const group of groups.toReversed()) {
      const all = await follow(rows, group, userId)
      const open = all.filter(({ depth, entry }) => depth % 2 === parity && entry.state === 'done')
      // What it did may have no effect any more.
      if (planOf(open.map(({ entry }) => entry)).length === 0) continue
      const own = all.flatMap(({ depth, entry }) => (depth === 0 ? [entry] : []))
      const gesture = await gestureOf({ rows, seen }, own)
      if (gesture !== null) return { ...gesture, undoable: true }
    }
    return null
  }
  return { undo: await newest(stacks.undo, 0), redo: await newest(stacks.redo, 1) }
}
