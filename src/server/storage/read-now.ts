import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Executors } from './executors.ts'
import { createHeldFiles } from './held-files.ts'
import { libc } from './libc.ts'
import { statFromLook } from './nodes.ts'
import { hasPrivateName } from './private-name.ts'
import type { FileNow } from './storage.ts'

/** Longer files are read asynchronously. */
const MOST_BYTES = 64 * 1024
/** Positions in the result of statx(2) of the fields of a `Stat` and the ctime: mode, inode, size, times, device. */
const PLACES = [7, 8, 9, 10, 11, 20, 21, 22, 24, 25, 26, 28, 29, 30, 34, 35] as const

/**
 * Reads short files at once (`Storage.readNow`), from disks that do not block. The path of a file is walked each time; the file is opened again only
 * if another one has the path now, or its permissions may have changed.
 */
export function createReadNow(root: { readonly fd: number }, executors: Executors): (path: FilePath) => FileNow | null {
  // A new buffer for each file would be most of the garbage.
  const shared = new Uint8Array(MOST_BYTES)
  const files = createHeldFiles()

  return (path) => {
    if (path === ROOT || hasPrivateName(path)) return null
    const held = files.get(path)
    const found = executors.of(path).runNow(
      () =>
        libc()?.readFile(root.fd, path.slice(1), shared, {
          stay: executors.isOnRoot(path),
          held: (words) => (held !== null && PLACES.every((place) => words[place] === held.words[place]) ? held.fd : null),
        }) ?? null,
    )
    if (found === null) return null
    const bytes = shared.subarray(0, found.size)
    if (held !== null && found.fd === held.fd) return { stat: held.stat, bytes }
    const stat = statFromLook(found.look())
    files.hold(path, { fd: found.fd, words: found.words.slice(), stat })
    return { stat, bytes }
  }
}
