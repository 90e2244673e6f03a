import type { QueryClient } from '@tanstack/react-query'
import { operations } from '../../../../shared/contract/operations.ts'
import { clientFor } from '../../../data/client.ts'

const client = clientFor({ operations })

export function undoGesture(queries: QueryClient, group: string): void {
  void client.operations.undo({ params: { group } }).then(() => queries.invalidateQueries())
}
