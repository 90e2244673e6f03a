import type { Attack, Group } from './attack.ts'
import { CLASSES, MATRICES, RESIDUAL } from './classes.ts'
import { DIRECTORIES } from './directories.ts'
import { FACTORS } from './factors.ts'
import { FILE_BROWSER } from './file-browser.ts'
import { PEERS } from './peers.ts'
import { PROVIDERS } from './providers.ts'
import { REVIEW } from './review.ts'

/** All rows of the page; each needs a test that names it. */
export const GROUPS: readonly Group[] = [...FILE_BROWSER, ...PEERS, FACTORS, RESIDUAL, CLASSES, PROVIDERS, DIRECTORIES, MATRICES, REVIEW]

export const ATTACKS: readonly Attack[] = GROUPS.flatMap(({ attacks }) => attacks)

/** All its names. */
export function namesOf({ id, also = [] }: Attack): readonly string[] {
  return [id, ...also]
}
