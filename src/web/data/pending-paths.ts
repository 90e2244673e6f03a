import type { FilePath } from '../../shared/file-path.ts'

/** Paths that are shown optimistically but do not exist on the server yet. */
const pending = new Map<FilePath, Promise<unknown>>()

/** Marks a path as pending until `work` settles. */
export async function trackPending<T>(path: FilePath, work: Promise<T>): Promise<T> {
  pending.set(path, work)
  try {
    return await work
  } finally {
    if (pending.get(path) === work) pending.delete(path)
  }
}

/** Calls back when a path is not pending, at once if it is not. */
export function whenNotPending(path: FilePath, ready: () => void): void {
  const work = pending.get(path)
  if (work === undefined) ready()
  else void work.then(ready, ready)
}
