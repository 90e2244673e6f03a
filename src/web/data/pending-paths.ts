import type { FilePath } from '../../shared/file-path.ts'

/** Names that are on show before the server has them. */
const pending = new Map<FilePath, Promise<unknown>>()

/** Says that nothing is to be asked about this path before the work is done, well or badly. */
export async function trackPending<T>(path: FilePath, work: Promise<T>): Promise<T> {
  pending.set(path, work)
  try {
    return await work
  } finally {
    if (pending.get(path) === work) pending.delete(path)
  }
}

/** Calls back once the server has this path: at once where nothing is on its way. */
export function whenNotPending(path: FilePath, ready: () => void): void {
  const work = pending.get(path)
  if (work === undefined) ready()
  else void work.then(ready, ready)
}
