import type { LeftOut } from '../../shared/archive-format.ts'
import { createNaming, segmentsFrom } from './names.ts'
import type { EntryHead } from './protocol.ts'

/** The path of an entry below the place of extraction; null for that place itself. */
export type Placed = { readonly path: string; readonly kind: 'file' | 'folder' } | { readonly left: LeftOut } | null

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
