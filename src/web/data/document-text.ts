import { queryOptions } from '@tanstack/react-query'
import { search } from '../../shared/contract/search.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ search: { documentText: search.documentText } })

/** Text documents and presentations. Spreadsheets are useless as plain text. */
const WORDS = /\.(docx|docm|dotx|dotm|odt|ott|pptx|pptm|potx|ppsx|odp|otp)$/i

export function hasDocumentText(name: string): boolean {
  return WORDS.test(name)
}

/** The text of an office document. @param modified milliseconds since 1970; part of the key, so that a changed file is read again */
export function documentTextQuery(path: FilePath, modified: number) {
  return queryOptions({
    queryKey: ['document-text', path, modified] as const,
    queryFn: ({ signal }) => client.search.documentText({ params: { path } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
