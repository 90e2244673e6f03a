import type { LeftOut } from '../../shared/archive-format.ts'
import { createNaming, segmentsFrom } from './names.ts'
import type { EntryHead } from './protocol.ts'

/** Where an entry is going to be, below the place of unpacking; null for that place itself. */
export type Placed = { readonly path: string; readonly kind: 'file' | 'folder' } | { readonly left: LeftOut } | null

/** Decides it for entry after entry, in the order of the archive: the same each time. @param base the name of what has none */
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
