import type { FilePath } from '../../shared/file-path.ts'
import { freeName } from './names.ts'
import { type Member, shownPath } from './walk.ts'

const MOST_LINES = 10_000

/** Told of what had to be left out. */
export type OnSkipped = (path: FilePath) => void

/** What had to be left out, as an entry that says so. */
export interface Skipped {
  readonly add: (path: FilePath, reason: string) => void
  /** Null when nothing is missing. @param taken names at the top of the archive */
  member(taken: Set<string>): Member | null
}

/** @param onSkipped is called for each, so that it can be reported elsewhere too */
export function createSkipped(onSkipped: OnSkipped = () => undefined): Skipped {
  const lines: string[] = []
  let count = 0
  return {
    add(path, reason) {
      count++
      onSkipped(path)
      // A line for each, whatever the name holds.
      if (lines.length < MOST_LINES) lines.push(`${JSON.stringify(shownPath(path))}: ${reason}\n`)
    },
    member(taken) {
      if (count === 0) return null
      const more = count > lines.length ? `and ${count - lines.length} more\n` : ''
      const source = new TextEncoder().encode(`These could not be read and are not in this archive:\n\n${lines.join('')}${more}`)
      return { name: freeName('_errors.txt', taken), kind: 'file', size: source.length, modified: 0, mode: 0o644, source }
    },
  }
}

/** What the top of an archive is called, to be asked before `_errors.txt` gets its name. */
export function topName(name: string): string {
  return name.split('/', 1)[0] ?? name
}
