import type { SearchSnippet } from '../../../shared/contract/search.ts'
import { glanceFor } from './glance.ts'
import { snippetsIn, type Wanted } from './snippets.ts'
import { textIn, textOfPages } from './text-in.ts'

/** Some files, read whole. */
export interface MatchAsk {
  /** Joined by NUL, which no name has. */
  readonly names: string
  /** Contents, one after the other. */
  readonly bytes: Uint8Array
  /** Bytes of each; -1 for one that was not read. */
  readonly sizes: Int32Array
  /** What the contents are: files as they are on the disk, or the text of PDFs with a form feed after each page. */
  readonly kind: 'files' | 'pages'
  readonly wanted: Wanted
}

/** For each file the lines to show; null where it is not looked for. */
export type MatchAnswer = readonly (readonly SearchSnippet[] | null)[]

/** Looks for words in files. Takes time: to be done in a thread of its own. */
export function match({ names, bytes, sizes, kind, wanted }: MatchAsk): MatchAnswer {
  const glance = glanceFor(wanted)
  let start = 0
  return names.split('\0').map((name, index) => {
    const size = sizes[index] ?? -1
    if (size < 0) return null
    const content = bytes.subarray(start, start + size)
    start += size
    const text = kind === 'pages' ? textOfPages(content) : textIn(name, content, glance)
    return text === null ? null : snippetsIn(text, wanted, kind === 'pages' ? 'page' : 'line')
  })
}
