import { createLru } from '../../shared/lru.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Executors } from './executors.ts'
import { libc } from './libc.ts'
import { statFromLook } from './nodes.ts'
import { hasPrivateName } from './private-name.ts'
import type { FileNow, Stat } from './storage.ts'

/** A longer file is worth its wait. */
const MOST_BYTES = 64 * 1024
const REMEMBERED = 4096
/** Where statx(2) has what a `Stat` is made of: mode, inode, size, times of birth and of change, device. */
const PLACES = [7, 8, 9, 10, 11, 20, 21, 22, 28, 29, 30, 34, 35] as const

/** Reads short files at once (`Storage.readNow`), from disks that do not keep their callers waiting. */
export function createReadNow(root: { readonly fd: number }, executors: Executors): (path: FilePath) => FileNow | null {
  // A new buffer for each file would be most of what is collected as garbage.
  const shared = new Uint8Array(MOST_BYTES)
  const known = createLru<FilePath, { readonly words: readonly number[]; readonly stat: Stat }>(REMEMBERED)

  return (path) => {
    if (path === ROOT || hasPrivateName(path)) return null
    const found = executors
      .of(path)
      .runNow(() => libc()?.readFile(root.fd, path.slice(1), shared, { stay: executors.isOnRoot(path) }) ?? null)
    if (found === null) return null
    const { words, size } = found
    const before = known.get(path)
    const isSame = before !== undefined && PLACES.every((place, i) => words[place] === before.words[i])
    const stat = isSame ? before.stat : statFromLook(found.look())
    if (!isSame) known.set(path, { words: PLACES.map((place) => words[place] ?? 0), stat })
    return { stat, bytes: shared.subarray(0, size) }
  }
}
