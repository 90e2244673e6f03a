import { randomUUID } from 'node:crypto'
import type { FilePath } from '../../shared/file-path.ts'
import type { StagedFile } from '../storage/storage.ts'
import type { Drive } from './drive.ts'
import type { StageOptions } from './stage.ts'

/** Runs `work` with a new staged file for `path`, and discards the file if the work fails. */
export async function withStaged<Value>(
  drive: Drive,
  path: FilePath,
  work: (staged: StagedFile) => Promise<Value>,
  options: Pick<StageOptions, 'from' | 'announced'> = {},
): Promise<Value> {
  const staged = await drive.stage(path, { id: randomUUID(), isNew: true, ...options })
  try {
    return await work(staged)
  } catch (error) {
    await staged.discard().catch(() => undefined)
    throw error
  }
}
