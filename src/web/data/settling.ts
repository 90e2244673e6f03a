import type { FilePath } from '../../shared/file-path.ts'

/** Names that are on show before the server has them. */
const settling = new Map<FilePath, Promise<unknown>>()

/** Says that nothing is to be asked about this path before the work is done, well or badly. */
export async function settle<T>(path: FilePath, work: Promise<T>): Promise<T> {
  settling.set(path, work)
  try {
    return await work
  } finally {
    if (settling.get(path) === work) settling.delete(path)
  }
}

/** Calls back once the server has this path: at once where nothing is on its way. */
export function whenSettled(path: FilePath, ready: () => void): void {
  const work = settling.get(path)
  if (work === undefined) ready()
  else void work.then(ready, ready)
}
