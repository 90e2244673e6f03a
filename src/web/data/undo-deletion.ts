import type { QueryClient } from '@tanstack/react-query'
import { operations, type UndoOutcome } from '../../shared/contract/operations.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import type { OperationResult } from './files.ts'
import { invalidateParents } from './folders.ts'
import { TRASH_KEY } from './query.ts'

const client = clientFor({ operations })

/** Restores everything that was deleted with one gesture, as far as possible: see the result. Fails if the server could not be asked. */
export async function undoDeletion(queries: QueryClient, group: string): Promise<OperationResult> {
  const { items } = await client.operations.undo({ params: { group } })
  const done: FilePath[] = []
  const failed: { path: FilePath; error: unknown }[] = []
  for (const { path: text, outcome } of items) {
    // Hidden from the user by now, so it has no name to show either.
    const path = text === null ? ROOT : parseFilePath(text)
    if (outcome === 'done') done.push(path)
    else failed.push({ path, error: errorOf(outcome, path) })
  }
  void queries.invalidateQueries({ queryKey: TRASH_KEY })
  await invalidateParents(queries, done)
  return { done, failed }
}

/** Why it was not restored, as the restoration of this one would have said. */
function errorOf(outcome: Exclude<UndoOutcome, 'done'>, path: FilePath): AppError {
  if (outcome === 'conflict') return new AppError('already-exists', { path })
  return outcome === 'gone' ? new AppError('not-found', {}) : new AppError('forbidden', { right: 'create' })
}
