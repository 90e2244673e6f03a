import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import { EVERYTHING } from '../access/everything.ts'
import { giveToOwner } from '../db/owner.ts'
import type { CommandEnvironment, ServerSettings } from './command.ts'

/** Makes a person's folder; if root runs the command, it belongs to the owner of the folder above, whose server would be shut out otherwise. */
export async function makeHome(
  path: FilePath,
  { served, openRoot }: { served: Pick<ServerSettings, 'root' | 'roots'> } & Pick<CommandEnvironment, 'openRoot'>,
): Promise<void> {
  const drive = (await openRoot(served))(EVERYTHING)
  const fresh = missingOn(path, served.root)
  await drive.makeFolder(path)
  for (const folder of fresh) giveToOwner(folder)
}

/** Those that are not there yet, from the top down. */
function missingOn(path: FilePath, root: string): string[] {
  if (path === ROOT) return []
  const folder = join(root, path)
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined
  return isThere ? [] : [...missingOn(parentOf(path), root), folder]
}
