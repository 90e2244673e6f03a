import type { Deed } from './deed.ts'
import { jobDeeds } from './job-deeds.ts'
import { recordDeeds } from './record-deeds.ts'
import { treeDeeds } from './tree-deeds.ts'
import { tusDeeds } from './tus-deeds.ts'

/** Every path by which the program writes. */
export const DEEDS: readonly Deed[] = [...treeDeeds(), ...jobDeeds(), ...tusDeeds(), ...recordDeeds()]
