import type { SearchSnippet } from '../../../shared/contract/search.ts'
import type { DocumentKind } from './document-texts.ts'
import { prefilterFor } from './prefilter.ts'
import { snippetsIn, type Unit, type Wanted } from './snippets.ts'
import { textIn, textOfDocument } from './text-in.ts'

/** Some files, read whole. */
export interface MatchRequest {
  /** Joined by NUL, which no name has. */
  readonly names: string
  /** Contents, one after the other. */
  readonly bytes: Uint8Array
  /** Bytes of each; -1 for one that was not read. */
  readonly sizes: Int32Array
  /** What the contents are: files as they are on the disk, or the text of documents. */
  readonly kind: 'files' | DocumentKind
  readonly wanted: Wanted
}

const UNITS: Record<MatchRequest['kind'], Unit> = { files: 'line', pages: 'page', paragraphs: 'paragraph' }

/** For each file the lines to show; null where it is not looked for. */
export type MatchAnswer = readonly (readonly SearchSnippet[] | null)[]

/** Looks for words in files. Takes time: to be done in a thread of its own. */
export function match({ names, bytes, sizes, kind, wanted }: MatchRequest): MatchAnswer {
  const prefilter = prefilterFor(wanted)
  let start = 0
  return names.split('\0').map((name, index) => {
    const size = sizes[index] ?? -1
    if (size < 0) return null
    const content = bytes.subarray(start, start + size)
    start += size
    const text = kind === 'files' ? textIn(name, content, prefilter) : textOfDocument(content, kind)
    return text === null ? null : snippetsIn(text, wanted, UNITS[kind])
  })
}
