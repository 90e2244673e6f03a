import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { MoveOptions, Stat } from '../storage/storage.ts'
import { type Copying, copyNode, refuseInside } from './copy.ts'
import type { TransferOptions } from './operation.ts'
import { checkpointFor } from './checkpoint.ts'
import { childPath, below, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import type { Change, RecordedChange } from './recorder.ts'
import { refuseDenied, refuseConflict } from './refuse-denied.ts'
import { replacing } from './replacing.ts'
import { refuseTransfer } from './rights.ts'
import { transferTo } from './transfer.ts'
import { makeFolders, type TargetPath } from './target-path.ts'
import { type Created, rollBack } from './rollback.ts'
import { type Child, childrenIn } from './walk.ts'

interface Moving extends Copying {
  readonly onTotal?: (bytes: number) => void
  /** Bytes on other file systems found so far, which cannot be renamed. */
  readonly toCopy: { bytes: number }
  readonly settleLater: (settle: () => void) => void
  /** Whether other files may be replaced, for which `modify` is needed. */
  readonly overwrites: boolean
  /** What is moved as a whole. */
  readonly top: { readonly place: ResolvedPath; readonly stat: Stat }
}

export async function moveTo({ strict: context }: DriveContext, from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath> {
  if (from === ROOT || to === ROOT) fail('forbidden', { right: 'rename' })
  using source = await context.find(from, 'keep')
  const stat = source.stat ?? fail('not-found', { path: from })
  if (from !== to && isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  const { signal, onProgress, onTotal } = options
  const steps = { signal, checkpoint: checkpointFor(context, { signal, needs: { place: source, rights: ['rename'] } }) }
  const child = { place: source, name: nameOf(from), kind: stat.kind, stat }

  return await transferTo(
    context,
    {
      to,
      isSource: (target) => isSame(source, stat, target),
      async run(target, { replace, ready }) {
        const { missing } = target
        const goal = respelled(source, target.place)
        if (source.node === goal.node) return
        const sameNode = isSame(source, stat, target)
        if (!sameNode) await refuseInside(context, source, goal)
        for (const folder of missing) refuseTransfer(context, { from: source, to: folder, right: 'rename', replace: false })
        // Denied paths first: the kind of error must not reveal whether a node exists.
        await refuseDenied(context, { from: source, to: goal, kind: stat.kind, right: 'rename', replace: replace && !sameNode }, steps)
        if (!sameNode && target.stat !== null)
          await refuseConflict(context, { from: source, kind: stat.kind, to: goal, hidden: 'take' }, steps)
        await ready(goal.path)
        const created: Created[] = []
        const moving: Moving = {
          ...steps,
          context,
          replace: replace || sameNode,
          overwrites: replace && !sameNode,
          right: 'rename',
          hidden: 'take',
          onProgress,
          onTotal,
          onCreated: (one) => void created.push(one),
          done: { bytes: 0 },
          toCopy: { bytes: 0 },
          goal,
          behindLink: false,
          begin: context.recorder.begin,
          top: { place: source, stat },
          settleLater: options.settleLater ?? ((settle) => settle()),
        }
        try {
          await makeFolders(context, missing, { onCreated: (one) => void created.push(one) })
          await moveNode(moving, child, goal)
        } catch (error) {
          await rollBack(context, created)
          throw error
        }
      },
    },
    options,
  )
}

/** The same path after resolving links, or the same node by a name that differs only in case, on a case-insensitive disk. */
function isSame(source: ResolvedPath, stat: Stat, target: TargetPath): boolean {
  if (source.node === target.place.node) return true
  return stat.identity === target.stat?.identity && caseless(source.node) === caseless(target.place.node)
}

/** A case-insensitive disk finds the source itself under its new name; the goal is then the name as requested. */
function respelled({ node }: ResolvedPath, goal: ResolvedPath): ResolvedPath {
  const name = nameOf(goal.path)
  if (node !== goal.node || name === nameOf(node)) return goal
  return { path: goal.path, alias: goal.alias, real: joinPath(parentOf(goal.real), name), node: joinPath(parentOf(node), name) }
}

function caseless(path: FilePath): string {
  return `${parentOf(path)}/${nameOf(path).normalize('NFC').toLowerCase()}`
}

/** Renames if the storage can, else copies or merges. */
async function moveNode(moving: Moving, child: Child, to: ResolvedPath): Promise<void> {
  await moving.checkpoint()
  const { context } = moving
  // The node may have appeared after everything was checked.
  if (context.verdict(child.place) === 'denied' || context.verdict(to) === 'denied') fail('forbidden', { right: 'rename' })
  refuseTransfer(context, { from: child.place, to, right: 'rename', replace: moving.overwrites && child.kind !== 'folder' })
  const outcome = await renameNode(moving, child, to)
  if (outcome === 'other-disk') await moveAcross(moving, child, to)
  if (outcome === 'folder-there') await mergeInto(moving, child, to)
}

async function renameNode(moving: Moving, child: Child, to: ResolvedPath): Promise<'moved' | 'other-disk' | 'folder-there'> {
  const { context, replace } = moving
  const { storage } = context
  const { place, kind } = child
  const node = place === moving.top.place ? moving.top.stat : await storage.stat(place.node)
  const rename = (options: MoveOptions) => recordedRename(moving, { from: place.node, to: to.node, node }, options)
  try {
    const moved = replace && kind === 'file' ? replacing(context, to.node, rename) : rename({ replace })
    return (await withErrorPath(to.path, moved)) ? 'moved' : 'other-disk'
  } catch (error) {
    const merges = replace && kind === 'folder' && isAppError(error, 'already-exists')
    if (!merges || (await storage.stat(to.node))?.kind !== 'folder') throw error
    return 'folder-there'
  }
}

/** @returns false if it is another disk */
async function recordedRename(
  { context: { storage, recorder }, settleLater }: Moving,
  { from, to, node }: { from: FilePath; to: FilePath; node: Stat | null },
  options: MoveOptions,
): Promise<boolean> {
  if (node === null) return storage.move(from, to, options)
  const row = await recorder.begin({
    kind: 'move',
    path: to,
    origin: from,
    node,
    folder: node.kind === 'folder',
    version: options.keep?.id,
  })
  let isMoved = false
  try {
    isMoved = await storage.move(from, to, options)
  } catch (error) {
    isMoved = (await storage.stat(to).catch(() => null))?.identity === node.identity && from !== to
    throw error
  } finally {
    if (isMoved) settleLater(() => row.done())
    else row.failed()
  }
  return isMoved
}

/** Moves each child, then removes the empty folder. */
async function mergeInto(moving: Moving, { place }: Child, to: ResolvedPath): Promise<void> {
  await moving.checkpoint()
  const { storage } = moving.context
  const columns = await withErrorPath(place.path, storage.list(place.node, { signal: moving.signal }))
  for (const child of childrenIn(place, columns)) await moveNode(moving, child, await childPath(moving.context, to, child.name))
  await storage.remove(place.node)
}

/**
 * To another file system: copies everything, checks that everything can be removed, and only then removes it. An error before that leaves the
 * source complete; after an error during the removal, each file still exists once.
 */
async function moveAcross(moving: Moving, child: Child, to: ResolvedPath): Promise<void> {
  moving.toCopy.bytes += await bytesToCopy(moving, child)
  moving.onTotal?.(moving.toCopy.bytes)
  const moves = recordMoves(moving.context)
  try {
    await copyNode({ ...moving, begin: moves.begin }, child, to)
    await refuseUnremovable(moving, child, to)
    await removeCopied(moving, child, to)
  } finally {
    await moves.settle(moving.settleLater)
  }
}

/** What is copied from another file system is moved when its source has gone. */
function recordMoves({ storage, recorder }: DriveContext) {
  const begun: { row: RecordedChange; path: FilePath; origin: FilePath }[] = []
  return {
    async begin(change: Change): Promise<RecordedChange> {
      const { path, origin } = change
      if (origin === undefined) return recorder.begin(change)
      const row = await recorder.begin({ ...change, kind: 'move', node: await storage.stat(origin) })
      begun.push({ row, path, origin })
      return { done: () => undefined, failed: () => undefined }
    },

    async settle(settleLater: Moving['settleLater']): Promise<void> {
      for (const { row, path, origin } of begun) {
        const [there, before] = await Promise.all([storage.stat(path), storage.stat(origin)]).catch(() => [null, null])
        if (there !== null && before === null) settleLater(() => row.done(there))
        else row.failed()
      }
    },
  }
}

/** Fails if a copy would skip something, because a move must not lose it. */
async function bytesToCopy(moving: Copying, { place, kind, stat }: Child): Promise<number> {
  await moving.checkpoint()
  if (kind === 'link' || kind === 'special')
    fail('invalid-input', { issues: ['links and special files cannot move to another file system'] })
  if (kind !== 'folder') return stat.size
  const columns = await withErrorPath(place.path, moving.context.storage.list(place.node, { signal: moving.signal }))
  let bytes = 0
  for (const child of childrenIn(place, columns)) bytes += await bytesToCopy(moving, child)
  return bytes
}

/** Some file systems store times in steps of two seconds. */
const TIME_STEP_MS = 2000

/** Fails if `removeCopied` would fail, as far as this can be known in advance. */
async function refuseUnremovable(moving: Copying, { place, kind }: Child, to: ResolvedPath): Promise<void> {
  await moving.checkpoint()
  if (kind !== 'folder') return refuseChanged(moving, place, to)
  const columns = await nullOn('not-found', moving.context.storage.list(place.node))
  if (columns === null || columns.names.length === 0) return
  await refuseLocked(moving, place)
  for (const child of childrenIn(place, columns)) await refuseUnremovable(moving, child, below(to, child.name))
}

/** Tries to remove a folder that is not empty, which never succeeds but shows whether it is permitted. */
async function refuseLocked({ context }: Copying, place: ResolvedPath): Promise<void> {
  try {
    await context.storage.remove(place.node)
  } catch (error) {
    if (isAppError(error, 'forbidden')) throw error
  }
}

async function refuseChanged({ context: { storage } }: Copying, place: ResolvedPath, to: ResolvedPath): Promise<void> {
  const [now, copy] = await Promise.all([storage.stat(place.node), storage.stat(to.node)])
  if (now === null) return
  if (copy?.size !== now.size || Math.abs(copy.modified - now.modified) > TIME_STEP_MS) fail('busy', { path: place.path })
}

/** Removes what was copied; fails with `busy` if something was added or changed since then, and keeps it. */
async function removeCopied(moving: Copying, { place, kind }: Child, to: ResolvedPath): Promise<void> {
  const { storage } = moving.context
  await moving.checkpoint()
  if (kind === 'folder') {
    const columns = await nullOn('not-found', storage.list(place.node))
    if (columns === null) return
    for (const child of childrenIn(place, columns)) await removeCopied(moving, child, below(to, child.name))
  } else await refuseChanged(moving, place, to)
  await nullOn('not-found', storage.remove(place.node))
}
