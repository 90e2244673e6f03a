import type { LeftOut } from '../../shared/archive-format.ts'
import { numbered } from '../../shared/numbering.ts'

const MOST_NAME_BYTES = 255
const MOST_PATH_BYTES = 4000
const MOST_DEPTH = 64

/**
 * The path below the place of unpacking that an entry's name asks for (invariant I14). Empty for that place itself.
 * @returns why there is none, where the name leads out, in whatever spelling, or is none
 */
export function segmentsFrom(name: string): readonly string[] | LeftOut {
  if (/^([/\\]|[a-z]:)/i.test(name) || name.includes('\0') || !name.isWellFormed()) return 'unsafe-name'
  if (name.split(/[/\\]/).includes('..')) return 'unsafe-name'
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  const bytes = segments.map((segment) => Buffer.byteLength(segment))
  const isLong = bytes.some((length) => length > MOST_NAME_BYTES) || bytes.reduce((sum, length) => sum + length + 1, 0) > MOST_PATH_BYTES
  return isLong || segments.length > MOST_DEPTH ? 'long-name' : segments
}

/** Gives each entry a place of its own. */
export interface Naming {
  /**
   * The path for an entry, segments joined by slashes: its own; of a file whose place is taken, in whatever case or composition, one with a
   * number. `no-place` where something on the way is a file.
   */
  place(segments: readonly string[], kind: 'file' | 'folder'): string | { left: LeftOut }
}

export function createNaming(): Naming {
  const taken = new Map<string, 'file' | 'folder'>()

  /** Whether all folders on the way are, or can be, folders. */
  function enter(folders: readonly string[]): boolean {
    let path = ''
    for (const segment of folders) {
      path = `${path}/${segment}`
      const key = keyOf(path)
      if (taken.get(key) === 'file') return false
      taken.set(key, 'folder')
    }
    return true
  }

  return {
    place(segments, kind) {
      const folders = segments.slice(0, -1)
      if (!enter(kind === 'folder' ? segments : folders)) return { left: 'no-place' }
      if (kind === 'folder') return segments.join('/')
      const own = segments.at(-1) ?? ''
      for (let name = own, n = 1; ; name = numbered(own, n++)) {
        const path = [...folders, name].join('/')
        if (taken.has(keyOf(`/${path}`))) continue
        taken.set(keyOf(`/${path}`), 'file')
        return path
      }
    },
  }
}

/** As a disk that is blind to case and composition would have it. */
function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
