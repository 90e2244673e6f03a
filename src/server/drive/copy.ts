import { randomUUID } from 'node:crypto'
import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, ROOT } from '../../shared/file-path.ts'
import type { TransferOptions } from './drive.ts'
import { targetOf } from './entries.ts'
import { refuseClash } from './merge.ts'
import { requireRights, steppingFor } from './pause.ts'
import { arrivingAt, type DriveContext, nodeAsListed, type ResolvedPath, seenAs, unless, whereOf } from './context.ts'
import { requireUtf8 } from './publish.ts'
import type { Steps } from './remove.ts'
import type { Made } from './take-back.ts'
import { settle } from './settle.ts'
import { makeFolders } from './target-path.ts'
import { whileAllowed } from './while-allowed.ts'
import { type Child, childrenIn } from './walk.ts'

export interface Copying extends Steps {
  readonly context: DriveContext
  readonly replace: boolean
  /** What is asked for where a rule denies a target. */
  readonly right: 'create' | 'rename'
  /** Whether dotfiles that the viewer does not see come along. */
  readonly hidden: 'leave' | 'take'
  readonly onProgress?: (bytes: number) => void
  /** Called for all that stands where nothing was before. */
  readonly onMade?: (made: Made) => void
  readonly done: { bytes: number }
  /** Where the whole copy goes. */
  readonly goal: ResolvedPath
  /** Folders behind links are copied, those behind links in them are not: two links side by side, level on level, would have no end. */
  readonly behindLink: boolean
}

export async function copyTo({ strict: context }: DriveContext, from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath> {
  if (from === ROOT || to === ROOT) fail('forbidden', { right: 'create' })
  requireUtf8(to)
  if (from !== to && isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  using source = await context.find(requireUtf8(from), 'follow')
  const stat = source.stat ?? fail('not-found', { path: from })
  if (stat.kind === 'special') fail('not-found', { path: from })
  const { signal, onProgress } = options
  const steps = { signal, turn: steppingFor(context, { signal, rights: options.replace ? ['create', 'modify'] : ['create'] }) }
  const child = { place: source, name: nameOf(from), kind: stat.kind, stat }

  return await settle(
    context,
    {
      to,
      isSource: () => false,
      async arrive({ place: goal, stat: old, missing }, { replace, ready }) {
        await refuseInside(context, source, goal)
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
        }
        // First what is denied: whether something is there must not be told by which failure it is.
        await refuseDeniedTargets(copying, child, goal)
        if (old !== null) await refuseClash(context, { from: source, kind: stat.kind, to: goal, hidden: 'leave' }, steps)
        await ready(goal.path)
        await makeFolders(context, missing)
        await copyNode(copying, child, goal)
      },
    },
    options,
  )
}

/** Also where the way there leads through links. */
export async function refuseInside({ storage }: DriveContext, source: ResolvedPath, goal: ResolvedPath): Promise<void> {
  // A disk that is blind to case has more than one way to a node: a folder copied into itself would have no end.
  const [from, to] = await Promise.all([nodeAsListed(storage, source.node), nodeAsListed(storage, goal.node)])
  if (from === to) fail('invalid-input', { issues: ['source is target'] })
  if (isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  // A folder that takes the place of one it lies in would have to be merged with itself.
  if (isWithin(from, to)) fail('already-exists', { path: goal.path })
}

/** One file is there whole or not at all; a folder is there as far as it was copied. */
export async function copyNode(copying: Copying, child: Child, to: ResolvedPath): Promise<void> {
  const { context, turn, right, hidden } = copying
  await turn()
  const verdict = context.verdict(child.place)
  if (hidden === 'leave' ? verdict !== 'shown' : verdict === 'denied') return
  if (context.verdict(to) === 'denied') fail('forbidden', { right })
  if (child.kind === 'file') return copyFile(copying, child, to)
  if (child.kind === 'folder') return copyFolder(copying, child, to)
  if (child.kind === 'link') await copyLink(copying, child, to)
}

async function copyFile(copying: Copying, { place, stat }: Child, to: ResolvedPath): Promise<void> {
  const { context, replace, signal, onProgress, onMade, done } = copying
  const staged = context.storage.stage(randomUUID(), { near: whereOf(to), isNew: true })
  try {
    const onBytes = (bytes: number): void => onProgress?.(done.bytes + bytes)
    await whileAllowed(context, { signal, check: () => refuseNow(copying, place, to) }, async ({ signal: both, onBlock }) => {
      const onBlockOf = (bytes: number): void => (onBytes(bytes), onBlock())
      await seenAs(place.path, staged.copyFrom(whereOf(place), { signal: both, onProgress: onBlockOf }))
    })
    await copying.turn()
    refuseNow(copying, place, to)
    const isNew = onMade !== undefined && (!replace || (await context.storage.stat(whereOf(to))) === null)
    const made = await seenAs(to.path, staged.commit(whereOf(to), { replace, modified: stat.modified, mode: stat.mode & 0o777 }))
    if (isNew) onMade?.({ place: to, stat: made, source: place })
  } catch (error) {
    // The failure that counts has happened; what cannot be discarded now is swept later.
    await staged.discard().catch(() => undefined)
    throw error
  }
  done.bytes += stat.size
  onProgress?.(done.bytes)
}

/** Whether a file whose bytes are on their way may be copied still. */
function refuseNow({ context, right }: Copying, from: ResolvedPath, to: ResolvedPath): void {
  requireRights(context, [right])
  if (context.verdict(from) === 'denied' || context.verdict(to) === 'denied') fail('forbidden', { right })
}

async function copyFolder(copying: Copying, { place }: Child, to: ResolvedPath): Promise<void> {
  const { storage } = copying.context
  const columns = await seenAs(place.path, storage.list(whereOf(place), { signal: copying.signal }))
  const made = await unless(
    'already-exists',
    seenAs(to.path, storage.makeFolder(whereOf(to))).then(() => true),
  )
  const stat = await storage.stat(whereOf(to))
  if (stat?.kind !== 'folder' || (made === null && !copying.replace)) fail('already-exists', { path: to.path })
  if (made === true) copying.onMade?.({ place: to, stat, source: place })
  for (const child of childrenIn(place, columns)) await copyNode(copying, child, await arrivingAt(copying.context, to, child.name))
}

/** What a link points to, if this person may see it and the copy does not lie in it. */
async function copyLink(copying: Copying, link: Child, to: ResolvedPath): Promise<void> {
  const { context, goal, behindLink } = copying
  using place = await targetOf(context, link.place.path)
  if (place === null || place.stat === null) return
  const { stat } = place
  if (stat.kind === 'folder' && (behindLink || leadsBack(place, link.place, goal))) return
  await copyNode({ ...copying, behindLink: true }, { place, name: link.name, kind: stat.kind, stat }, to)
}

function leadsBack(target: ResolvedPath, link: ResolvedPath, goal: ResolvedPath): boolean {
  return isWithin(link.node, target.node) || isWithin(goal.node, target.node) || isWithin(target.node, goal.node)
}

/** Before anything is copied: a rule may deny a place that a node deep below would get. */
async function refuseDeniedTargets(copying: Copying, child: Child, to: ResolvedPath): Promise<void> {
  const { context, turn, signal, right } = copying
  if (context.access.rules.neverDenies) return
  await turn()
  if (context.verdict(child.place) !== 'shown') return
  if (context.verdict(to) === 'denied') fail('forbidden', { right })
  if (child.kind !== 'folder') return
  const columns = await seenAs(child.place.path, context.storage.list(whereOf(child.place), { signal }))
  for (const inner of childrenIn(child.place, columns)) await refuseDeniedTargets(copying, inner, await arrivingAt(context, to, inner.name))
}
