import type { LeftOut } from '../../shared/archive-format.ts'
import { fail } from '../../shared/errors.ts'
import { createNumbering } from '../../shared/numbering.ts'
import type { EntryHead } from './protocol.ts'

const MOST_NAME_BYTES = 255
const MOST_PATH_BYTES = 4000
const MOST_DEPTH = 64

/**
 * The path below the place of extraction for an entry's name (invariant I14). Empty for that place itself.
 * @returns the reason if the name leads out, in whatever spelling, or is invalid
 */
export function segmentsFrom(name: string): readonly string[] | LeftOut {
  if (/^([/\\]|[a-z]:)/i.test(name) || name.includes('\0') || !name.isWellFormed()) return 'unsafe-name'
  if (name.split(/[/\\]/).includes('..')) return 'unsafe-name'
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  const bytes = segments.map((segment) => Buffer.byteLength(segment))
  const isLong = bytes.some((length) => length > MOST_NAME_BYTES) || bytes.reduce((sum, length) => sum + length + 1, 0) > MOST_PATH_BYTES
  return isLong || segments.length > MOST_DEPTH ? 'long-name' : segments
}

/** No real archive has more files and folders than this; they need memory. */
const MOST_PLACES = 1_000_000

interface Folder {
  /** Keys of names on a case-insensitive and normalising disk. */
  readonly places: Map<string, Folder | 'file'>
  numbering?: ReturnType<typeof createNumbering>
}

/** Gives each entry a unique path. Fails with `archive-refused` for too many entries. */
export function createNaming() {
  const top = newFolder()
  let count = 0

  function add(folder: Folder, key: string, place: Folder | 'file'): void {
    if (++count > MOST_PLACES) fail('archive-refused', { reason: 'entries' })
    folder.places.set(key, place)
  }

  /** Null if something on the way is a file. */
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
    /**
     * The path for an entry, segments joined by slashes: its own; for a file whose path is taken (ignoring case and composition), a numbered one.
     * `no-place` if something on the way is a file.
     */
    place(segments: readonly string[], kind: 'file' | 'folder'): string | { left: LeftOut } {
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

/** As a case-insensitive and normalising disk would compare it. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The path of an entry below the place of extraction; null for that place itself. */
type Placed = { readonly path: string; readonly kind: 'file' | 'folder' } | { readonly left: LeftOut } | null

/** Plans the path of each entry, in the order of the archive, deterministically. @param base the name for an entry without one */
export function createPlan({ base }: { base: string }): (head: EntryHead) => Placed {
  const naming = createNaming()
  return ({ name, kind }) => {
    const segments = segmentsFrom(name === '' ? base : name)
    if (typeof segments === 'string') return { left: segments }
    if (segments.length === 0) return null
    if (kind === 'link' || kind === 'special') return { left: kind }
    const path = naming.place(segments, kind)
    return typeof path === 'string' ? { path, kind } : path
  }
}
