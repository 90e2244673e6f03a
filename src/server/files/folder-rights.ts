import { FILE_RIGHTS, type FileRight } from '../../shared/contract/rights.ts'
import { type FilePath, joinPath } from '../../shared/file-path.ts'
import type { Names } from '../../shared/packed-names.ts'
import type { Drive } from '../drive/drive.ts'

const CHANGING: ReadonlySet<FileRight> = new Set(['create', 'modify', 'rename', 'delete'])

/** What the viewer may do in a folder, and with entries for which that differs; nothing where the rights of the account count everywhere. */
export interface FolderRights {
  readonly rights?: readonly FileRight[]
  readonly rightsOf?: Readonly<Record<string, readonly FileRight[]>>
}

/** @param names of the entries; none where they are not known yet */
export function folderRights(drive: Drive, folder: FilePath, names: Names | readonly string[] = []): FolderRights {
  const { rules, tellsRights = false } = drive.access
  const isSame = rules.grants.isUniform && !drive.isReadOnly(folder) && drive.sameRightsBelow(folder)
  if (isSame && !tellsRights) return {}
  const own = namesOf(drive, folder)
  const differing: Record<string, readonly FileRight[]> = Object.create(null) as Record<string, readonly FileRight[]>
  // Most folders are not above one that is granted: their entries need not be looked at.
  if (!drive.sameRightsBelow(folder))
    for (const name of names) {
      const rights = namesOf(drive, joinPath(folder, name))
      if (rights.join() !== own.join()) differing[name] = rights
    }
  return Object.keys(differing).length === 0 ? { rights: own } : { rights: own, rightsOf: differing }
}

function namesOf(drive: Drive, path: FilePath): readonly FileRight[] {
  const isReadOnly = drive.isReadOnly(path)
  return FILE_RIGHTS.filter((right) => drive.may(right, path) && !(isReadOnly && CHANGING.has(right)))
}
