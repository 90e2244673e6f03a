import type { LeftOut } from '../../shared/archive-format.ts'
import { fail } from '../../shared/errors.ts'
import { createNumbering } from '../../shared/numbering.ts'

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

/** More folders and files than this are nobody's archive, and fill the memory. */
const MOST_PLACES = 1_000_000

interface Folder {
  /** By what a name is to a disk that is blind to case and composition. */
  readonly places: Map<string, Folder | 'file'>
  numbering?: ReturnType<typeof createNumbering>
}

/** Fails with `archive-refused` for more places than anybody needs. */
export function createNaming(): Naming {
  const top = newFolder()
  let count = 0

  function add(folder: Folder, key: string, place: Folder | 'file'): void {
    if (++count > MOST_PLACES) fail('archive-refused', { reason: 'entries' })
    folder.places.set(key, place)
  }

  /** Null where something on the way is a file. */
  function enter(segments: readonly string[]): Folder | null {
    let folder = top
    for (const segment of segments) {
      const key = keyOf(segment)
      const next = folder.places.get(key) ?? newFolder()
      if (next === 'file') return null
      if (!folder.places.has(key)) add(folder, key, next)
      folder = next
    }
    return folder
  }

  return {
    place(segments, kind) {
      const folders = kind === 'folder' ? segments : segments.slice(0, -1)
      const folder = enter(folders)
      if (folder === null) return { left: 'no-place' }
      if (kind === 'folder') return segments.join('/')
      const own = segments.at(-1) ?? ''
      const isTaken = (name: string): boolean => folder.places.has(keyOf(name))
      const name = isTaken(own) ? (folder.numbering ??= createNumbering())(own, isTaken, keyOf(own)) : own
      add(folder, keyOf(name), 'file')
      return [...folders, name].join('/')
    },
  }
}

function newFolder(): Folder {
  return { places: new Map() }
}

/** As a disk that is blind to case and composition would have it. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
