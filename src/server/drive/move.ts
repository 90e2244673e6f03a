import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { MoveOptions, Stat } from '../storage/storage.ts'
import { refuseInside } from './copy.ts'
import type { TransferOptions } from './operation.ts'
import { checkpointFor } from './checkpoint.ts'
import { childPath, type DriveContext, listedPath, type ResolvedPath, withErrorPath } from './context.ts'
import { type Moving, moveAcross } from './move-across.ts'
import { removeEmptied } from './emptied.ts'
import { refuseDenied, refuseConflict } from './refuse-denied.ts'
import { replacing } from './replacing.ts'
import { refuseTransfer } from './rights.ts'
import { transferTo } from './transfer.ts'
import { makeFolders, type TargetPath } from './target-path.ts'
import { type Created, rollBack } from './rollback.ts'
import { type Child, childrenIn } from './walk.ts'

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
      isSource: (target) => isSame(context, { source, stat, target }),
      async run(target, { replace, ready }) {
        const { missing } = target
        const goal = respelled(source, target.place)
        if (source.node === goal.node) return
        const sameNode = await isSame(context, { source, stat, target })
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
          isRespelled: sameNode,
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
async function isSame(
  { storage }: DriveContext,
  { source, stat, target }: { source: ResolvedPath; stat: Stat; target: TargetPath },
): Promise<boolean> {
  if (source.node === target.place.node) return true
  if (target.stat === null || caseless(source.node) !== caseless(target.place.node)) return false
  // Disks in user space number the names of a node, not the node.
  return (
    stat.identity === target.stat.identity || (await listedPath(storage, source.node)) === (await listedPath(storage, target.place.node))
  )
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
    // A folder never takes the place of another one, even if that is empty: that one could not come back.
    const mayReplace = replace && (kind !== 'folder' || moving.isRespelled)
    const moved = mayReplace && kind === 'file' ? replacing(context, to.node, rename) : rename({ replace: mayReplace })
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
  await removeEmptied(moving, { from: place, to })
}
