import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Children, Entry } from '../drive/entry.ts'
import { kindOf } from '../drive/entry.ts'
import { etagOf } from '../drive/etag.ts'

/** A node as WebDAV describes it. */
export interface Resource {
  readonly path: FilePath
  readonly name: string
  readonly isFolder: boolean
  readonly isLink: boolean
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Empty if unknown. */
  readonly identity: string
}

type Described = Pick<Entry['stat'], 'kind' | 'size' | 'modified' | 'identity'>

export async function resourceAt(drive: Drive, path: FilePath): Promise<Resource> {
  const { stat, target } = await drive.stat(path)
  return isShown(stat) ? resourceFrom(path, stat, { isLink: target !== null }) : fail('not-found', { path })
}

function resourceFrom(path: FilePath, { kind, size, modified, identity }: Described, { isLink }: { isLink: boolean }): Resource {
  return { path, name: nameOf(path), isFolder: kind === 'folder', isLink, size, modified, identity }
}

/** WebDAV knows files and folders: no links that lead nowhere, and no devices. */
function isShown({ kind }: Pick<Described, 'kind'>): boolean {
  return kind === 'file' || kind === 'folder'
}

/** The children of a folder, from row `from` up to, not including, row `to`. */
export function resourcesIn(folder: FilePath, children: Children, { from, to }: { from: number; to: number }): Resource[] {
  const { names, sizes, modified, modes, identities, linked } = children
  const found: Resource[] = []
  for (let row = from; row < to; row++) {
    const name = names.at(row) ?? ''
    const link = linked.get(row)
    const stat: Described = link?.stat ?? {
      kind: kindOf(modes[row] ?? 0),
      size: sizes[row] ?? 0,
      modified: modified[row] ?? 0,
      identity: identities?.at(row) ?? '',
    }
    // Names of a listing need no check: the disk has them.
    if (isShown(stat))
      found.push({ ...resourceFrom(`${folder === '/' ? '' : folder}/${name}` as FilePath, stat, { isLink: link !== undefined }), name })
  }
  return found
}

/** The same as that of `GET`; null for folders, which have none. */
export function etagFor(resource: Resource): string | null {
  return resource.isFolder || resource.identity === '' ? null : etagOf(resource)
}

/** Milliseconds since 1970; null if the disk does not know it. */
export function createdAt({ identity }: Pick<Resource, 'identity'>): number | null {
  const birth = /^\d+:\d+:(\d+)$/.exec(identity)?.[1]
  return birth === undefined || birth === '0' ? null : Math.floor(Number(birth) / 1e6)
}
