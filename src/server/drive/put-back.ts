import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { OpenFile, Stat } from '../storage/storage.ts'
import { whenReady } from './checkpoint.ts'
import { type DriveContext, type FoundPath, withErrorPath } from './context.ts'
import type { BringBackOptions, PutBackOptions } from './operation.ts'
import { requireUtf8, withNodeLock } from './publish.ts'
import { recorded } from './recorded.ts'
import { askedPlace, refuseGain, requireRights } from './rights.ts'
import { findTarget, makeFolders } from './target-path.ts'
import { findFile, type PublishCopy, publishCopy, restoreInPlace } from './use-versions.ts'
import type { Version } from './versions.ts'

/** The content that a file had before, as it was: a version, or the present content with other attributes. */
export interface OldContent {
  /** Of this file or, by now, of another one. Null for the present content. */
  readonly version: string | null
  /** Where it was replaced, in the viewer's tree: what could not be read, changed or removed there, does not come back to where it could be. */
  readonly from: FilePath
  /** Mode bits, and the time in milliseconds since 1970; null for those of the version. */
  readonly attributes: { readonly mode: number; readonly modified: number } | null
}

/** With other attributes it is a copy, so that what has these now stays as well. */
export async function putBackAt(
  context: DriveContext,
  path: FilePath,
  { version: id, from, attributes }: OldContent,
  { ready, onVersion }: PutBackOptions = {},
): Promise<Stat> {
  using file = await findFile(context, path)
  requireRights(context, file, ['modify'])
  const { storage } = context
  return await withNodeLock(storage, file.node, async () => {
    const version = id === null ? null : await findKept(context, path, id)
    if (version !== null && attributes === null) onVersion?.(version.identity)
    await whenReady(context, { path, places: [file], rights: ['modify'], ready })
    refuseGain(context, askedPlace(context.access, from), file)
    if (attributes !== null) return copyWith(context, file, version, attributes)
    return restoreInPlace(context, file, version ?? fail('not-found', { path }), { asSave: false })
  })
}

async function copyWith(
  context: DriveContext,
  file: FoundPath,
  version: Version | null,
  as: NonNullable<PublishCopy['as']>,
): Promise<Stat> {
  await using source = await withErrorPath<OpenFile>(
    file.path,
    version === null ? context.storage.open(file.handle) : context.storage.openKept(version.kept, ROOT),
  )
  return await publishCopy(context, file, source, { as })
}

/** What was replaced, or an emptied folder, is a node of its own again. Fails with `already-exists`, and with `invalid-input` on another disk. */
export async function bringBackAt(context: DriveContext, id: string, to: FilePath, { from, ready }: BringBackOptions): Promise<Stat> {
  using target = await findTarget(context, requireUtf8(to), 'keep')
  if (target.stat !== null) fail('already-exists', { path: to })
  const { kept, ...version } = await findKept(context, to, id)
  const { place, missing } = target
  const { storage, versions } = context
  await whenReady(context, { path: to, places: [...missing, place], rights: ['create'], ready })
  refuseGain(context, askedPlace(context.access, from), place)
  await makeFolders(context, missing)
  const folder = (await storage.statKept(kept))?.kind === 'folder'
  const { identity } = version
  const change = { kind: 'create', path: place.node, node: { identity }, folder, restored: { version: id, was: null } } as const
  const stat = await recorded(context, change, async () => {
    const isHere = await withErrorPath(to, storage.restoreKept(kept, place.node, { replace: false }))
    if (!isHere) fail('invalid-input', { issues: ['to: on another disk'] })
    return (await storage.stat(place.node)) ?? fail('not-found', { path: to })
  })
  await versions.restored({ kept, ...version })
  return stat
}

async function findKept({ versions, storage }: DriveContext, path: FilePath, id: string): Promise<Version> {
  const version = (await versions.findAnywhere(id)) ?? fail('not-found', { path })
  return (await storage.statKept(version.kept)) === null ? fail('not-found', { path }) : version
}
