import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FilePath } from '../../../shared/file-path.ts'
import { giveToOwner } from '../../db/owner.ts'

/** In a linked folder, on disks without times of birth: the private folder and the marker in it (`storage/folder-mark.ts`). */
const MARK = ['.satchel', '.satchel/mark']

/**
 * If root runs the command, the markers of linked folders belong to the account of the server, which could not read them otherwise.
 * @param owner a folder of that account
 */
export function giveMarks(places: Iterable<FilePath>, { root, owner }: { root: string; owner: string }): void {
  if (!existsSync(owner)) return
  for (const place of places) {
    for (const name of MARK) {
      const path = join(root, place, name)
      if (existsSync(path)) giveToOwner(path, owner)
    }
  }
}
