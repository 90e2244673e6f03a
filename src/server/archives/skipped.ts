import type { FilePath } from '../../shared/file-path.ts'
import { freeName } from './names.ts'
import { type Member, shownPath } from './walk.ts'

const MOST_LINES = 10_000
const STEM = '_errors'

/** Called for what had to be left out. */
export type OnSkipped = (path: FilePath) => void

/** Collects what had to be left out, as an entry that lists it. @param onSkipped is called for each, so that it can be reported elsewhere as well */
export function createSkipped(onSkipped: OnSkipped = () => undefined) {
  const lines: string[] = []
  /** At the top of the archive, of those that the list could have. */
  const taken = new Set<string>()
  let count = 0
  return {
    add(path: FilePath, reason: string) {
      count++
      onSkipped(path)
      // One line for each, whatever its name contains.
      if (lines.length < MOST_LINES) lines.push(`${JSON.stringify(shownPath(path))}: ${reason}\n`)
    },
    /** Called with the name of each member. */
    see(name: string) {
      if (name.startsWith(STEM)) taken.add(topName(name))
    },
    /** Null if nothing is missing. */
    member(): Member | null {
      if (count === 0) return null
      const more = count > lines.length ? `and ${count - lines.length} more\n` : ''
      const source = new TextEncoder().encode(`These could not be read and are not in this archive:\n\n${lines.join('')}${more}`)
      return { name: freeName(`${STEM}.txt`, taken), kind: 'file', size: source.length, modified: 0, mode: 0o644, source }
    },
  }
}

function topName(name: string): string {
  return name.split('/', 1)[0] ?? name
}
