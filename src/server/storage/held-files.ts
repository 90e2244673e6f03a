import { closeSync, readFileSync } from 'node:fs'
import { orElse } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Stat } from './storage.ts'

/** A file that is open for reading. */
export interface HeldFile {
  readonly fd: number
  /** The result of statx(2) when it was opened (`Looked.words`). */
  readonly words: Uint32Array
  readonly stat: Stat
}

export interface HeldFiles {
  get(path: FilePath): HeldFile | null
  /** Takes over the descriptor, and closes the previous one of the path. */
  hold(path: FilePath, file: HeldFile): void
}

/** A file is closed between HELD_MS and twice as long after its last use: an open file occupies space if removed, and prevents unmounting its disk. */
const HELD_MS = 1000
const MOST_HELD = 1024

/** Open files that were read recently: opening takes a third of the time of reading a small file. */
export function createHeldFiles({ most = mostHeld(), heldMs = HELD_MS }: { most?: number; heldMs?: number } = {}): HeldFiles {
  let young = new Map<FilePath, HeldFile>()
  let old = new Map<FilePath, HeldFile>()
  let timer: NodeJS.Timeout | null = null

  function turn(): void {
    for (const { fd } of old.values()) closeSync(fd)
    old = young
    young = new Map()
    timer = null
    if (old.size > 0) wait()
  }

  function wait(): void {
    timer ??= setTimeout(turn, heldMs).unref()
  }

  function get(path: FilePath): HeldFile | null {
    const held = young.get(path)
    if (held !== undefined) return held
    const older = old.get(path)
    if (older === undefined) return null
    old.delete(path)
    young.set(path, older)
    return older
  }

  return {
    get,
    hold(path, file) {
      const before = get(path)
      if (before !== null) closeSync(before.fd)
      else if (young.size + old.size >= most) return closeSync(file.fd)
      young.set(path, file)
      wait()
    },
  }
}

/** A small part of the descriptors that this process may have open. */
function mostHeld(): number {
  const limit = orElse(null, () => /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  return Math.min(MOST_HELD, Math.floor(Number(limit ?? 0) / 8))
}
