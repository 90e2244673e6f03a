import { join } from 'node:path'
import { ROOT } from '../../../shared/file-path.ts'
import { cleanScope } from '../../../shared/scope.ts'
import { isFolder } from '../../settings/is-folder.ts'
import type { ImportedAccount } from '../../users/import-accounts.ts'
import { NOTHING_THERE, type ReadLinks } from './links.ts'

/** So few missing links and folders say nothing. */
const LEAST_MISSING = 3

export interface WrongRootOptions {
  readonly root: string
  /** What the old server served; null if its database does not say so. */
  readonly oldRoot: string | null
  readonly accounts: readonly Pick<ImportedAccount, 'scope'>[]
  readonly links: Pick<ReadLinks, 'found' | 'kept' | 'leftOut'>
}

/** Why the served folder is probably not the one of the old server, in words for the operator; null if it seems to be. */
export async function wrongRootProblem({ root, oldRoot, accounts, links }: WrongRootOptions): Promise<string | null> {
  const homes = accounts.map(({ scope }) => cleanScope(scope)).filter((scope) => scope !== ROOT)
  const noHomes = (await Promise.all(homes.map((home) => isFolder(join(root, home))))).filter((isThere) => !isThere).length
  const noLinks = links.leftOut.filter(({ reason }) => reason === NOTHING_THERE).length
  const allLinks = links.found.length + links.kept + noLinks
  if (noHomes + noLinks < LEAST_MISSING || (noHomes * 2 <= homes.length && noLinks * 2 <= allLinks)) return null
  const served = oldRoot === null ? 'the folder that the old server served' : `what was ${oldRoot} for the old server`
  return (
    `--root is probably wrong: ${noLinks} of ${allLinks} links lead to nothing below ${root}, and ${noHomes} of ${homes.length} accounts have no ` +
    `folder there. Name ${served}, as this machine names it.`
  )
}
