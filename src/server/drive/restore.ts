import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { inScope } from '../access/access.ts'
import { kindOf, type MoveOptions } from '../storage/storage.ts'
import type { TrashedNode } from './bin.ts'
import { checkpointFor, type Checkpoints, whenReady } from './checkpoint.ts'
import { below, type DriveContext, type ResolvedPath, withErrorPath } from './context.ts'
import type { RestoreOptions } from './operation.ts'
import { deniesNothingIn } from './refuse-denied.ts'
import { replacing } from './replacing.ts'
import { askedPlace, hasSameRightsBelow, refuseGain, requireRights } from './rights.ts'
import { type Created, rollBack } from './rollback.ts'
import { makeFolders } from './target-path.ts'
import { transferTo } from './transfer.ts'

export async function restoreAt(
  { strict: context }: DriveContext,
  node: TrashedNode,
  to: FilePath,
  options: RestoreOptions,
): Promise<FilePath> {
  if (to === ROOT) fail('forbidden', { right: 'create' })
  const { signal } = options
  const rights = options.replace ? (['create', 'modify'] as const) : (['create'] as const)
  const steps = { signal, checkpoint: checkpointFor(context, { signal, needs: { place: askedPlace(context.access, to), rights } }) }
  const { bin } = context
  const was = placeBefore(context, node)

  return await transferTo(
    context,
    {
      to,
      isSource: () => false,
      async run({ place, stat, missing }, { replace, ready }) {
        const { path } = place
        await refuseDeniedInside(context, node, { was, place, right: 'create', replace }, steps)
        if (stat !== null && (node.kind !== 'file' || stat.kind !== 'file')) fail('already-exists', { path })
        await whenReady(context, { path, places: [...missing, place], rights, ready })
        await refuseDeniedInside(context, node, { was, place, right: 'create', replace }, steps)
        const created: Created[] = []
        try {
          await makeFolders(context, missing, { onCreated: (made) => void created.push(made) })
          const restore = (how: MoveOptions) => bin.restore(node, place.node, how)
          await withErrorPath(path, replace ? replacing(context, place.node, restore) : restore({ replace }))
        } catch (error) {
          await rollBack(context, created)
          throw error
        }
      },
    },
    options,
  )
}

/** Fails with `forbidden` if a rule denies any node of it by its old path: removing it for good is removing each (GHSA-77x8-73f4-5485). */
export async function refusePurge(
  { strict: context }: DriveContext,
  node: TrashedNode,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const was = placeBefore(context, node)
  const steps = { signal, checkpoint: checkpointFor(context, { signal, needs: { place: was, rights: ['delete'] } }) }
  if (context.verdict(was) !== 'shown') fail('not-found', { path: node.path })
  await refuseDeniedInside(context, node, { was, place: null, right: 'delete', replace: false }, steps)
}

function placeBefore({ access }: DriveContext, { path, place }: TrashedNode): ResolvedPath {
  return { path, alias: inScope(access, path), real: inScope(access, path), node: place }
}

interface Paths {
  readonly was: ResolvedPath
  /** Where it is going to be; null if it is removed for good. */
  readonly place: ResolvedPath | null
  readonly right: 'create' | 'delete'
  readonly replace: boolean
}

/** As `refuseDenied` for a move: fails with `forbidden` if a rule denies any node of it by its old or new path. */
async function refuseDeniedInside(context: DriveContext, node: TrashedNode, paths: Paths, steps: Checkpoints): Promise<void> {
  const { rules } = context.access
  if (rules.neverDenies && rules.grants.isUniform) return
  if (node.kind === 'folder' && rules.deniesBelow(paths.was.alias)) fail('forbidden', { right: paths.right })
  const isKnown = (place: ResolvedPath): boolean => deniesNothingIn(context, place) && hasSameRightsBelow(context, place)
  if (isKnown(paths.was) && (paths.place === null || isKnown(paths.place))) return refuseWithoutRight(context, paths)
  await refuseDeniedIn(context, node, { ...paths, inner: ROOT, isFolder: node.kind === 'folder' }, steps)
}

/** Who cannot read, change or remove something where it was, cannot restore it to where they could. */
function refuseWithoutRight(context: DriveContext, { was, place, replace }: Pick<Paths, 'was' | 'place' | 'replace'>): void {
  if (place === null) return requireRights(context, was, ['delete'])
  requireRights(context, place, replace ? ['create', 'modify'] : ['create'])
  refuseGain(context, was, place)
}

async function refuseDeniedIn(
  context: DriveContext,
  node: TrashedNode,
  { was, place, right, replace, inner, isFolder }: Paths & { inner: FilePath; isFolder: boolean },
  steps: Checkpoints,
): Promise<void> {
  await steps.checkpoint()
  if (context.verdict(was) === 'denied' || (place !== null && context.verdict(place) === 'denied')) fail('forbidden', { right })
  refuseWithoutRight(context, { was, place, replace })
  if (!isFolder) return
  const { names, modes } = await context.storage.listKept(node.kept, inner)
  for (const index of names.keys()) {
    const name = names.at(index) ?? ''
    const next = { was: below(was, name), place: place && below(place, name), inner: joinPath(inner, name) }
    await refuseDeniedIn(context, node, { ...next, right, replace, isFolder: kindOf(modes[index] ?? 0) === 'folder' }, steps)
  }
}
