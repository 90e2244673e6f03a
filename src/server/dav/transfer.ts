import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import { resolveParent } from '../drive/resolve-parent.ts'
import type { DavCall } from './dav-call.ts'
import { depthOf, overwrites as mayOverwrite } from './dav-headers.ts'
import { destinationOf } from './destination.ts'
import { propertyNodeOf } from './property-place.ts'
import { resourceAt } from './resource.ts'

/**
 * COPY and MOVE (RFC 4918, sections 9.8 and 9.9). What is overwritten goes to the trash (where there is none, a folder is not overwritten), unless it is a file that a file replaces, which becomes a version;
 * if the transfer then fails, it comes back. Everything is one gesture, which can be undone.
 */
export async function transfer(call: DavCall, kind: 'copy' | 'move'): Promise<Response> {
  const { request, drive, path } = call
  const depth = depthOf(request, { allowed: kind === 'copy' ? ['0', 'infinity'] : ['infinity'], absent: 'infinity' })
  const mayReplace = mayOverwrite(request)
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
  const relation = old === null ? 'none' : await relationOf(call, to)
  if (relation === 'same' && kind === 'move') {
    // The same node by another spelling: nothing is overwritten.
    await drive.move(path, to, { replace: false, rename: false, signal: request.signal })
    return new Response(null, { status: 204 })
  }
  if (relation !== 'none') fail('forbidden', { right })
  if (old !== null && !mayReplace) fail('precondition-failed', { path: to })
  const isFileOverFile = old?.stat.kind === 'file' && old.target === null && !source.isFolder
  const options = { replace: isFileOverFile, rename: false, signal: request.signal }
  const isOverwritten = old !== null && !isFileOverFile
  if (isOverwritten) {
    // What could refuse the work later does so before anything goes.
    if (!drive.may('create', to)) fail('forbidden', { right: 'create' })
    if (kind === 'move') await call.guard.expectWhole({ user: call.actor, access: drive.access, path })
  }

  await inPlaceOf(call, isOverwritten ? { kind, old: to } : null, async () => {
    if (kind === 'move') await drive.move(path, to, options)
    else if (depth === '0' && source.isFolder) await copyFolderAlone(call, to)
    else await drive.copy(path, to, options)
  })
  return new Response(null, { status: old === null ? 201 : 204 })
}

/**
 * How a node and the one that it is to replace are related on the disk, whatever their paths say: `same`, by another spelling in the same folder; `related`,
 * if one is in the other, or they are the same in another way.
 */
async function relationOf({ guard, drive, path }: DavCall, to: FilePath): Promise<'same' | 'related' | 'none'> {
  const [source, target] = [await guard.lockPlaceOf(inStorage(drive.access, path)), await guard.lockPlaceOf(inStorage(drive.access, to))]
  if (source === target) return parentOf(path) === parentOf(to) && nameOf(path) !== nameOf(to) ? 'same' : 'related'
  return isWithin(source, target) || isWithin(target, source) ? 'related' : 'none'
}

/** What takes the place of the node at `old`. */
interface Overwriting {
  readonly kind: 'copy' | 'move'
  readonly old: FilePath
}

/**
 * Removes what is at a path before the work, and restores it if the work fails, or the server dies before it is done. Fails where it could not be restored:
 * where there is no trash.
 */
async function inPlaceOf(call: DavCall, overwriting: Overwriting | null, work: () => Promise<unknown>): Promise<void> {
  if (overwriting === null) return void (await work())
  const { drive, request, viewer, actor, path, overwrites, systemDrive, restoreTrashed } = call
  const { kind, old } = overwriting
  const gesture = actor.group ?? fail('invalid-input', { issues: ['a gesture is needed'] })
  const origin = await resolveParent(systemDrive, inStorage(drive.access, path))
  await overwrites.during({ gesture, kind, origin, by: actor }, async () => {
    const trashed = await drive.remove(old, { signal: request.signal, onlyKept: true })
    try {
      await work()
    } catch (error) {
      if (trashed !== null) {
        // A part of a copy is in the way.
        await nullOn('not-found', drive.remove(old, { onlyKept: true })).catch(() => null)
        // It stays in the trash if it cannot be restored; why the work failed is what the client has to know.
        await restoreTrashed(viewer, trashed.id, old).catch(() => null)
      }
      throw error
    }
  })
}

async function copyFolderAlone(call: DavCall, to: FilePath): Promise<void> {
  const { drive, path, properties } = call
  await drive.makeFolder(to)
  const own = await properties.ofNode(await propertyNodeOf(call, path))
  if (own.length > 0) await properties.change(await propertyNodeOf(call, to), own, call.viewer)
}
