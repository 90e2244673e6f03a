import type { Operation } from './operation.ts'
import { jobOperations } from './job-operations.ts'
import { journalOperations } from './journal-operations.ts'
import { recordOperations } from './record-operations.ts'
import { trashOperations } from './trash-operations.ts'
import { treeOperations } from './tree-operations.ts'
import { tusOperations } from './tus-operations.ts'
import { versionOperations } from './version-operations.ts'

/** Every path by which the program writes. */
export const OPERATIONS: readonly Operation[] = [
  ...treeOperations(),
  ...trashOperations(),
  ...versionOperations(),
  ...journalOperations(),
  ...jobOperations(),
  ...tusOperations(),
  ...recordOperations(),
]
