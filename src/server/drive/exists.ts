import type { FilePath } from '../../shared/file-path.ts'
import { nullOn } from '../../shared/errors.ts'
import type { Drive } from './drive.ts'

/** Whether there is a node at this path that the viewer may see. */
export async function exists(drive: Pick<Drive, 'stat'>, path: FilePath): Promise<boolean> {
  return (await nullOn('not-found', drive.stat(path))) !== null
}
