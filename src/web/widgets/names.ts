import { segmentProblem } from '../../shared/file-path.ts'
import { MAX_NAME_BYTES } from '../../shared/limits.ts'

export type NameProblem = 'empty' | 'dots' | 'slash' | 'nul' | 'long' | 'taken'

/** Why a name cannot be given, or null. Judged as it will be sent: trimmed. */
export function nameProblem(typed: string, taken: (name: string) => boolean): NameProblem | null {
  const name = typed.trim()
  const problem = segmentProblem(name)
  if (problem !== null) return problem === 'NUL' ? 'nul' : problem
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) return 'long'
  return taken(name) ? 'taken' : null
}

/** How many characters of a name stand before its extension: what a rename selects. A folder's name and `.profile` are all stem. */
export function stemLength(name: string, { isDir }: { isDir: boolean }): number {
  const dot = isDir ? -1 : name.lastIndexOf('.')
  if (dot <= 0) return name.length
  const double = /\.tar\.[a-z0-9]+$/i.exec(name)
  return double && double.index > 0 ? double.index : dot
}

/** A name with the ending of its kind, once, whether somebody has typed it or not. */
export function withEnding(name: string, ending: string): string {
  return name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`
}
