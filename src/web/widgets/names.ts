import { segmentProblem } from '../../shared/file-path.ts'
import { MAX_NAME_BYTES } from '../../shared/limits.ts'

export type NameProblem = 'empty' | 'dots' | 'slash' | 'nul' | 'long' | 'taken'

/** Why a name is invalid, or null. Validates the trimmed name. */
export function nameProblem(typed: string, taken: (name: string) => boolean): NameProblem | null {
  const name = typed.trim()
  const problem = segmentProblem(name)
  if (problem !== null) return problem === 'NUL' ? 'nul' : problem
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) return 'long'
  return taken(name) ? 'taken' : null
}

/** Length of a name without its extension, which a rename selects. Folder names and `.profile` have no extension. */
export function stemLength(name: string, { isDir }: { isDir: boolean }): number {
  const dot = isDir ? -1 : name.lastIndexOf('.')
  if (dot <= 0) return name.length
  const double = /\.tar\.[a-z0-9]+$/i.exec(name)
  return double && double.index > 0 ? double.index : dot
}

/** Adds an extension unless it is already there. */
export function withEnding(name: string, ending: string): string {
  return name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`
}
