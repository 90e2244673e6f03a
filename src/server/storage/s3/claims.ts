import { type FilePath, parseFilePath, placeUnder } from '../../../shared/file-path.ts'
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts'
import type { Kept, Storage } from '../storage.ts'

/** Runs work that looks at names and then changes them, while nobody else does that with the same names. */
export type Claim = <T>(paths: readonly FilePath[], work: () => Promise<T>) => Promise<T>

/** Locks below the private folder: the caller may hold the lock of a node already (`Storage.exclusively`). */
const CLAIMS = parseFilePath('/.satchel/s3')

/** Within this server and, where several serve the same bucket, among them. */
export function createClaim(exclusively: Storage['exclusively']): Claim {
  const mutex = createKeyedMutex()
  return (paths, work) => {
    const keys = [...new Set(paths.map((path) => placeUnder(CLAIMS, path)))].toSorted()
    const together = () => exclusively?.(keys, work) ?? work()
    return keys.reduceRight<() => ReturnType<typeof work>>((inner, key) => () => mutex(key, inner), together)()
  }
}

/** Stands for the id of a kept node; no path that somebody can name. */
export function keptClaim({ area, id }: Kept): FilePath {
  return parseFilePath(`/.satchel/${area}/${id}`)
}
