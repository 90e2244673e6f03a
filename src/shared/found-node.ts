import type { FilePath } from './file-path.ts'

/** What became of a node, as the disk tells it: nothing about who did it. */
export interface FoundNode {
  /** Storage path, links not resolved. */
  readonly path: FilePath
  readonly change: 'appeared' | 'changed' | 'gone'
  readonly folder: boolean
  /** It has happened, once or several times, between these moments; milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

/** Two changes of one path as one; null if nothing is left of them. */
export function together(first: FoundNode['change'], then: FoundNode['change']): FoundNode['change'] | null {
  if (first === 'appeared') return then === 'gone' ? null : 'appeared'
  if (first === 'gone') return then === 'gone' ? 'gone' : 'changed'
  return then === 'gone' ? 'gone' : 'changed'
}
