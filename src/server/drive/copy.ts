import { randomUUID } from 'node:crypto'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import type { TransferOptions } from './operation.ts'
import { targetOf } from './read-entries.ts'
import { checkpointFor, type Checkpoints, whileAllowed } from './checkpoint.ts'
import { childPath, type DriveContext, listedPath, type ResolvedPath, withErrorPath } from './context.ts'
import { requireUtf8 } from './publish.ts'
import { settleFailed } from './recorded.ts'
import { type BeginChange, beginUnrecorded } from './recorder.ts'
import { publishAt } from './replacing.ts'
import { askedPlace, refuseTransfer } from './rights.ts'
import type { Created } from './rollback.ts'
import { transferTo } from './transfer.ts'
import { makeFolders } from './target-path.ts'
import { type Child, childrenIn } from './walk.ts'
import { refuseConflict } from './refuse-denied.ts'

export interface Copying extends Checkpoints {
  readonly context: DriveContext
  readonly replace: boolean
  /** The right named in the error if a rule denies a target. */
  readonly right: 'create' | 'rename'
  /** Whether dotfiles that the viewer does not see are transferred. */
  readonly hidden: 'leave' | 'take'
  readonly onProgress?: (bytes: number) => void
  /** Called for each node created where there was none. */
  readonly onCreated?: (made: Created) => void
  /** Called for each folder whose content goes into one that exists. */
  readonly onMerged?: (place: ResolvedPath) => void
  readonly done: { bytes: number }
  /** The target of the whole copy. */
  readonly goal: ResolvedPath
  /** Folders behind links are copied, but not those behind links inside them: nested links could multiply without end. */
  readonly behindLink: boolean
  /** Records what appears or is replaced; what is in a folder that was created belongs to that. */
  readonly begin: BeginChange
}

export async function copyTo({ strict: context }: DriveContext, from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath> {
  if (from === ROOT || to === ROOT) fail('forbidden', { right: 'create' })
  requireUtf8(to)
  if (from !== to && isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  using source = await context.find(requireUtf8(from), 'follow')
  const stat = source.stat ?? fail('not-found', { path: from })
  if (stat.kind === 'special') fail('not-found', { path: from })
  const { signal, onProgress } = options
  const steps = {
    signal,
    checkpoint: checkpointFor(context, { signal, needs: { place: askedPlace(context.access, to), rights: ['create'] } }),
  }
  const child = { place: source, name: nameOf(from), kind: stat.kind, stat }

  return await transferTo(
    context,
    {
      to,
      isSource: () => false,
      async run({ place: goal, stat: old, missing }, { replace, ready }) {
        await refuseInside(context, source, goal)
        for (const folder of missing) refuseTransfer(context, { from: source, to: folder, right: 'create', replace: false })
        const copying: Copying = {
          ...steps,
          context,
          replace,
          right: 'create',
          hidden: 'leave',
          onProgress,
          done: { bytes: 0 },
          goal,
          behindLink: false,
          begin: context.recorder.begin,
        }
        // Denied paths first: the kind of error must not reveal whether a node exists.
        await refuseDeniedTargets(copying, child, goal)
        if (old !== null) await refuseConflict(context, { from: source, kind: stat.kind, to: goal, hidden: 'leave' }, steps)
        await ready(goal.path)
        await makeFolders(context, missing)
        await copyNode(copying, child, goal)
      },
    },
    options,
  )
}

/** Fails if the goal is the source, lies in it or contains it, also through links. */
export async function refuseInside({ storage }: DriveContext, source: ResolvedPath, goal: ResolvedPath): Promise<void> {
  // On a case-insensitive disk a node has several paths, and a folder copied into itself would have no end.
  const [from, to] = await Promise.all([listedPath(storage, source.node), listedPath(storage, goal.node)])
  if (from === to) fail('invalid-input', { issues: ['source is target'] })
  if (isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  // A folder that replaced one of its parents would have to be merged with itself.
  if (isWithin(from, to)) fail('already-exists', { path: goal.path })
}

/** A file is copied completely or not at all; a folder as far as the copy got. */
export async function copyNode(copying: Copying, child: Child, to: ResolvedPath): Promise<void> {
  const { context, checkpoint, right, hidden } = copying
  await checkpoint()
  const verdict = context.verdict(child.place)
  if (hidden === 'leave' ? verdict !== 'shown' : verdict === 'denied') return
  if (context.verdict(to) === 'denied') fail('forbidden', { right })
  refuseTransfer(context, { from: child.place, to, right, replace: overwrites(copying, child) })
  if (child.kind === 'file') return copyFile(copying, child, to)
  if (child.kind === 'folder') return copyFolder(copying, child, to)
  if (child.kind === 'link') await copyLink(copying, child, to)
}

async function copyFile(copying: Copying, { place, stat }: Child, to: ResolvedPath): Promise<void> {
  const { context, replace, signal, onProgress, onCreated, done } = copying
  const staged = context.storage.stage(randomUUID(), { near: to.node, isNew: true })
  try {
    const onBytes = (bytes: number): void => onProgress?.(done.bytes + bytes)
    await whileAllowed(context, { signal, check: () => refuseNow(copying, place, to) }, async ({ signal: both, onBlock }) => {
      const onBlockOf = (bytes: number): void => (onBytes(bytes), onBlock())
      await withErrorPath(place.path, staged.copyFrom(place.node, { signal: both, onProgress: onBlockOf }))
    })
    await copying.checkpoint()
    refuseNow(copying, place, to)
    const isNew = onCreated !== undefined && (!replace || (await context.storage.stat(to.node)) === null)
    const as = { kind: 'copy', origin: place.node } as const
    const options = { replace, modified: stat.modified, mode: stat.mode & 0o777, as, begin: copying.begin }
    const made = await withErrorPath(to.path, publishAt(context, to.node, staged, options))
    if (isNew) onCreated?.({ place: to, stat: made, source: place })
  } catch (error) {
    // The first error is the one to report; what cannot be discarded now is swept later.
    await staged.discard().catch(() => undefined)
    throw error
  }
  done.bytes += stat.size
  onProgress?.(done.bytes)
}

/** Fails if a file that is being copied may no longer be. */
function refuseNow({ context, right }: Copying, from: ResolvedPath, to: ResolvedPath): void {
  refuseTransfer(context, { from, to, right, replace: false })
  if (context.verdict(from) === 'denied' || context.verdict(to) === 'denied') fail('forbidden', { right })
}

async function copyFolder(copying: Copying, { place }: Child, to: ResolvedPath): Promise<void> {
  const { storage } = copying.context
  const columns = await withErrorPath(place.path, storage.list(place.node, { signal: copying.signal }))
  const made = await makeCopy(copying, place, to)
  const stat = made ?? (await storage.stat(to.node))
  if (stat?.kind !== 'folder' || (made === null && !copying.replace)) fail('already-exists', { path: to.path })
  if (made !== null) copying.onCreated?.({ place: to, stat, source: place })
  else copying.onMerged?.(place)
  const inside = made === null ? copying : { ...copying, begin: beginUnrecorded }
  for (const child of childrenIn(place, columns)) await copyNode(inside, child, await childPath(copying.context, to, child.name))
}

/** Creates the folder of a copy, still empty. @returns null if something is there already */
async function makeCopy({ context, begin, replace }: Copying, from: ResolvedPath, to: ResolvedPath): Promise<Stat | null> {
  const { storage } = context
  // In a merge most folders exist.
  if (replace && (await storage.stat(to.node)) !== null) return null
  const change = { kind: 'copy', path: to.node, origin: from.node, node: null, folder: true } as const
  const row = await begin(change)
  try {
    await withErrorPath(to.path, storage.makeFolder(to.node))
    const stat = await storage.stat(to.node)
    if (stat?.kind === 'folder') row.done(stat)
    else row.failed()
    return stat
  } catch (error) {
    await settleFailed(context, change, { row, error })
    if (isAppError(error, 'already-exists')) return null
    throw error
  }
}

/** Copies the target of a link, if the viewer may see it and the copy does not lie in it. */
async function copyLink(copying: Copying, link: Child, to: ResolvedPath): Promise<void> {
  const { context, goal, behindLink } = copying
  using place = await targetOf(context, link.place.path)
  if (place === null || place.stat === null) return
  const { stat } = place
  if (stat.kind === 'folder' && (behindLink || isRecursive(place, link.place, goal))) return
  await copyNode({ ...copying, behindLink: true }, { place, name: link.name, kind: stat.kind, stat }, to)
}

function isRecursive(target: ResolvedPath, link: ResolvedPath, goal: ResolvedPath): boolean {
  return isWithin(link.node, target.node) || isWithin(goal.node, target.node) || isWithin(target.node, goal.node)
}

/** Whether a node may replace another, for which `modify` is needed. A move has checked that itself. */
function overwrites({ replace, right }: Copying, { kind }: Child): boolean {
  return replace && right === 'create' && kind !== 'folder'
}

/** Before anything is copied: a rule may deny the target path of a node deep in the tree, or the right to it may be missing. */
async function refuseDeniedTargets(copying: Copying, child: Child, to: ResolvedPath): Promise<void> {
  const { context, checkpoint, signal, right } = copying
  const { rules } = context.access
  if (rules.neverDenies && rules.grants.isUniform) return
  await checkpoint()
  if (context.verdict(child.place) !== 'shown') return
  if (context.verdict(to) === 'denied') fail('forbidden', { right })
  refuseTransfer(context, { from: child.place, to, right, replace: overwrites(copying, child) })
  if (child.kind !== 'folder') return
  const columns = await withErrorPath(child.place.path, context.storage.list(child.place.node, { signal }))
  for (const inner of childrenIn(child.place, columns)) await refuseDeniedTargets(copying, inner, await childPath(context, to, inner.name))
}
