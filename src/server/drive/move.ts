import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { type Copying, copyNode, refuseInside } from './copy.ts'
import type { TransferOptions } from './drive.ts'
import { refuseClash } from './merge.ts'
import { steppingFor } from './pause.ts'
import { arrivingAt, below, type DriveContext, type ResolvedPath, seenAs, unless, whereOf } from './context.ts'
import { refuseDenied } from './remove.ts'
import { settle } from './settle.ts'
import { makeFolders, type TargetPath } from './target-path.ts'
import { type Made, takeBack } from './take-back.ts'
import { type Child, childrenIn } from './walk.ts'

interface Moving extends Copying {
  readonly onTotal?: (bytes: number) => void
  /** What cannot be renamed, as far as it was come across. */
  readonly toCopy: { bytes: number }
}

export async function moveTo({ strict: context }: DriveContext, from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath> {
  if (from === ROOT || to === ROOT) fail('forbidden', { right: 'rename' })
  using source = await context.find(from, 'keep')
  const stat = source.stat ?? fail('not-found', { path: from })
  if (from !== to && isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  const { signal, onProgress, onTotal } = options
  const steps = { signal, turn: steppingFor(context, { signal, rights: options.replace ? ['rename', 'modify'] : ['rename'] }) }
  const child = { place: source, name: nameOf(from), kind: stat.kind, stat }

  return await settle(
    context,
    {
      to,
      isSource: (target) => isSame(source, stat, target),
      async arrive(target, { replace, ready }) {
        const { missing } = target
        const goal = respelled(source, target.place)
        if (source.node === goal.node) return
        const twin = isSame(source, stat, target)
        if (!twin) await refuseInside(context, source, goal)
        // First what is denied: whether something is there must not be told by which failure it is.
        await refuseDenied(context, { from: source, to: goal, kind: stat.kind, right: 'rename' }, steps)
        if (!twin && target.stat !== null) await refuseClash(context, { from: source, kind: stat.kind, to: goal, hidden: 'take' }, steps)
        await ready(goal.path)
        const made: Made[] = []
        const moving: Moving = {
          ...steps,
          context,
          replace: replace || twin,
          right: 'rename',
          hidden: 'take',
          onProgress,
          onTotal,
          onMade: (one) => void made.push(one),
          done: { bytes: 0 },
          toCopy: { bytes: 0 },
          goal,
          behindLink: false,
        }
        try {
          await makeFolders(context, missing, { onMade: (place, madeStat) => void made.push({ place, stat: madeStat, source: null }) })
          await moveNode(moving, child, goal)
        } catch (error) {
          await takeBack(context, made)
          throw error
        }
      },
    },
    options,
  )
}

/** The very place, by whatever way, or the same node by a name that differs in case only on a disk that is blind to it. */
function isSame(source: ResolvedPath, stat: Stat, target: TargetPath): boolean {
  if (source.node === target.place.node) return true
  return stat.identity === target.stat?.identity && caseless(source.node) === caseless(target.place.node)
}

/** A disk that is blind to case finds the source itself under its new name: the goal is that name, as it was asked for. */
function respelled({ node }: ResolvedPath, goal: ResolvedPath): ResolvedPath {
  const name = nameOf(goal.path)
  if (node !== goal.node || name === nameOf(node)) return goal
  return { path: goal.path, alias: goal.alias, real: joinPath(parentOf(goal.real), name), node: joinPath(parentOf(node), name) }
}

function caseless(path: FilePath): string {
  return `${parentOf(path)}/${nameOf(path).normalize('NFC').toLowerCase()}`
}

/** By renaming where the storage can. */
async function moveNode(moving: Moving, child: Child, to: ResolvedPath): Promise<void> {
  await moving.turn()
  const { context } = moving
  // A rule may have reached a node that came after everything was checked.
  if (context.verdict(child.place) === 'denied' || context.verdict(to) === 'denied') fail('forbidden', { right: 'rename' })
  const outcome = await renameNode(moving, child, to)
  if (outcome === 'other-disk') await moveAcross(moving, child, to)
  if (outcome === 'folder-there') await mergeInto(moving, child, to)
}

async function renameNode(
  { context: { storage }, replace }: Copying,
  { place, kind }: Child,
  to: ResolvedPath,
): Promise<'moved' | 'other-disk' | 'folder-there'> {
  try {
    return (await seenAs(to.path, storage.move(whereOf(place), whereOf(to), { replace }))) ? 'moved' : 'other-disk'
  } catch (error) {
    const merges = replace && kind === 'folder' && isAppError(error, 'already-exists')
    if (!merges || (await storage.stat(whereOf(to)))?.kind !== 'folder') throw error
    return 'folder-there'
  }
}

/** Child by child; the emptied folder goes last. */
async function mergeInto(moving: Moving, { place }: Child, to: ResolvedPath): Promise<void> {
  await moving.turn()
  const { storage } = moving.context
  const columns = await seenAs(place.path, storage.list(whereOf(place), { signal: moving.signal }))
  for (const child of childrenIn(place, columns)) await moveNode(moving, child, await arrivingAt(moving.context, to, child.name))
  await storage.remove(whereOf(place))
}

/**
 * To another file system: everything is copied before anything is removed, and it is seen to that all can be removed before anything is. A
 * failure leaves the source whole; should it come in the middle of the removal after all, each file is still there once.
 */
async function moveAcross(moving: Moving, child: Child, to: ResolvedPath): Promise<void> {
  moving.toCopy.bytes += await bytesToCopy(moving, child)
  moving.onTotal?.(moving.toCopy.bytes)
  await copyNode(moving, child, to)
  await refuseUnremovable(moving, child, to)
  await removeCopied(moving, child, to)
}

/** Fails where a copy would leave something out: that is not to be lost by a move. */
async function bytesToCopy(moving: Copying, { place, kind, stat }: Child): Promise<number> {
  await moving.turn()
  if (kind === 'link' || kind === 'special')
    fail('invalid-input', { issues: ['links and special files cannot move to another file system'] })
  if (kind !== 'folder') return stat.size
  const columns = await seenAs(place.path, moving.context.storage.list(whereOf(place), { signal: moving.signal }))
  let bytes = 0
  for (const child of childrenIn(place, columns)) bytes += await bytesToCopy(moving, child)
  return bytes
}

/** Some file systems keep times in steps of two seconds. */
const TIME_STEP_MS = 2000

/** Fails where `removeCopied` would, as far as that can be known before. */
async function refuseUnremovable(moving: Copying, { place, kind }: Child, to: ResolvedPath): Promise<void> {
  await moving.turn()
  if (kind !== 'folder') return refuseChanged(moving, place, to)
  const columns = await unless('not-found', moving.context.storage.list(whereOf(place)))
  if (columns === null || columns.names.length === 0) return
  await refuseLocked(moving, place)
  for (const child of childrenIn(place, columns)) await refuseUnremovable(moving, child, below(to, child.name))
}

/** A folder that is not empty is never removed; who may not remove it at all is told that instead. */
async function refuseLocked({ context }: Copying, place: ResolvedPath): Promise<void> {
  try {
    await context.storage.remove(whereOf(place))
  } catch (error) {
    if (isAppError(error, 'forbidden')) throw error
  }
}

async function refuseChanged({ context: { storage } }: Copying, place: ResolvedPath, to: ResolvedPath): Promise<void> {
  const [now, copy] = await Promise.all([storage.stat(whereOf(place)), storage.stat(whereOf(to))])
  if (now === null) return
  if (copy?.size !== now.size || Math.abs(copy.modified - now.modified) > TIME_STEP_MS) fail('busy', { path: place.path })
}

/** Removes what was copied; `busy` where something came or changed since, which then stays. */
async function removeCopied(moving: Copying, { place, kind }: Child, to: ResolvedPath): Promise<void> {
  const { storage } = moving.context
  await moving.turn()
  if (kind === 'folder') {
    const columns = await unless('not-found', storage.list(whereOf(place)))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeCopied(moving, child, below(to, child.name))
  } else await refuseChanged(moving, place, to)
  await unless('not-found', storage.remove(whereOf(place)))
}
