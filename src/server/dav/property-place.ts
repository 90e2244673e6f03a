import { nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import type { DavCall } from './dav-call.ts'
import type { PropertyNode } from './property-store.ts'

/** Of the node at a storage path; empty for a link, whose properties are its own and not those of its target; null if nothing is there. */
export async function identityAt(systemDrive: Pick<Drive, 'stat'>, place: FilePath): Promise<string | null> {
  const entry = await nullOn('not-found', systemDrive.stat(place))
  if (entry === null) return null
  return entry.target === null ? entry.stat.identity : ''
}

/** What the properties of a node are bound to: the path by which the disk lists it, and what is there. */
export async function propertyNodeOf(
  { listedPath, systemDrive, drive }: Pick<DavCall, 'listedPath' | 'systemDrive' | 'drive'>,
  path: FilePath,
): Promise<PropertyNode> {
  const place = await listedPath(inStorage(drive.access, path))
  return { place, identity: (await identityAt(systemDrive, place)) ?? '' }
}
