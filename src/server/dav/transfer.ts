import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import { type DavCall, propertyPlaceOf } from './dav-call.ts'
import { depthOf, overwrites } from './dav-headers.ts'
import { destinationOf } from './destination.ts'
import { resourceAt } from './resource.ts'

/**
 * COPY and MOVE (RFC 4918, sections 9.8 and 9.9). What is overwritten goes to the trash, unless it is a file that a file replaces, which becomes a version;
 * if the transfer then fails, it comes back. Everything is one gesture, which can be undone.
 */
export async function transfer(call: DavCall, kind: 'copy' | 'move'): Promise<Response> {
  const { request, drive, path } = call
  const depth = depthOf(request, { allowed: kind === 'copy' ? ['0', 'infinity'] : ['infinity'], absent: 'infinity' })
  const mayReplace = overwrites(request)
  const to = destinationOf(call)
  if (to === null) return new Response(null, { status: 502 })
  const right = kind === 'copy' ? 'create' : 'rename'
  await drive.renew()
  if (!drive.may(right, path) && (kind === 'move' || !drive.may('create', to))) fail('forbidden', { right })
  const source = await resourceAt(drive, path)
  if (path === ROOT || to === ROOT || to === path) fail('forbidden', { right })
  if (isWithin(to, path) && (kind === 'move' || (depth === 'infinity' && source.isFolder))) fail('forbidden', { right })
  if (isWithin(path, to)) fail('forbidden', { right: 'delete' })
  const parent = await nullOn('not-found', drive.stat(parentOf(to)))
  if (parent?.stat.kind !== 'folder') fail('already-exists', { path: parentOf(to) })
  const old = await nullOn('not-found', drive.stat(to))
  if (old !== null && !mayReplace) fail('precondition-failed', { path: to })
  const isFileOverFile = old?.stat.kind === 'file' && old.target === null && !source.isFolder
  const options = { replace: isFileOverFile, rename: false, signal: request.signal }

  await inPlaceOf(call, old !== null && !isFileOverFile ? to : null, async () => {
    if (kind === 'move') await drive.move(path, to, options)
    else if (depth === '0' && source.isFolder) await copyFolderAlone(call, to)
    else await drive.copy(path, to, options)
  })
  return new Response(null, { status: old === null ? 201 : 204 })
}

/** Removes what is at a path before the work, and restores it if the work fails. */
async function inPlaceOf(
  { drive, request, viewer, restoreTrashed }: DavCall,
  old: FilePath | null,
  work: () => Promise<unknown>,
): Promise<void> {
  // Where there is no trash it is gone, as RFC 4918 has it.
  const trashed = old === null ? null : await drive.remove(old, { signal: request.signal })
  try {
    await work()
  } catch (error) {
    if (trashed !== null && old !== null) await restoreTrashed(viewer, trashed.id, old)
    throw error
  }
}

async function copyFolderAlone(call: DavCall, to: FilePath): Promise<void> {
  const { drive, path, properties } = call
  await drive.makeFolder(to)
  const own = await properties.ofPlace(await propertyPlaceOf(call, path))
  if (own.length > 0) await properties.change(await propertyPlaceOf(call, to), own)
}
