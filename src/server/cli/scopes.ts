import { statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Version 2.17 used an absolute scope as it is, 2.63 puts every scope below the root. */
export type Generation = 'A' | 'B'

export interface ScopeOptions {
  readonly root: string
  /** The folder that the predecessor served, if different; null if not given. */
  readonly oldRoot: string | null
  readonly generation: Generation
  readonly isFolder?: (path: string) => boolean
}

/** A stored scope as one below our root, or why that is impossible. */
export function readScope(
  scope: string,
  { root, oldRoot, generation, isFolder = isFolderHere }: ScopeOptions,
): { scope: string } | { problem: string } {
  const wanted = scope.trim()
  if (wanted.includes('\0')) return { problem: 'holds NUL' }
  if (!wanted.startsWith('/')) return { scope: wanted === '' ? '.' : wanted }
  // A folder below the root, as 2.63 means it, is the surest sign.
  const isBelow = generation === 'B' && (wanted === '/' || isFolder(join(root, wanted)))
  if (isBelow) return { scope: wanted }
  for (const base of oldRoot === null ? [root] : [oldRoot, root]) {
    const inside = relative(base, wanted)
    if (inside === '') return { scope: '/' }
    if (inside !== '..' && !inside.startsWith('../')) return { scope: `/${inside}` }
  }
  if (generation === 'B' && !isFolder(wanted)) return { scope: wanted }
  return { problem: `${wanted} does not lie in the served folder ${oldRoot ?? root}; move it there, or name the old one with --old-root` }
}

function isFolderHere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
