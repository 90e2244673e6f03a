import type { SearchSnippet } from '../../../shared/contract/search.ts'
import type { DocumentKind } from './document-texts.ts'
import { prefilterFor } from './prefilter.ts'
import { snippetsIn, type Unit, type Wanted } from './snippets.ts'
import { textIn, textOfDocument } from './text-in.ts'

/** Some files that were read whole. */
export interface MatchRequest {
  /** Joined by NUL, which names cannot contain. */
  readonly names: string
  /** Contents, one after the other. */
  readonly bytes: Uint8Array
  /** Bytes of each; -1 for one that was not read. */
  readonly sizes: Int32Array
  /** Kind of contents: files as they are on the disk, or extracted text of documents. */
  readonly kind: 'files' | DocumentKind
  readonly wanted: Wanted
}

const UNITS: Record<MatchRequest['kind'], Unit> = { files: 'line', pages: 'page', paragraphs: 'paragraph' }

/** The lines to show for each file; null if it does not match. */
export type MatchAnswer = readonly (readonly SearchSnippet[] | null)[]

/** Searches words in files. Slow: call it in another thread. */
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
