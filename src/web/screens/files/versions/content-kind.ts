import { useQuery } from '@tanstack/react-query'
import { isServerOnly } from '../../../data/pictures.ts'
import { contentQuery, type FileContent, type VersionedFile } from '../../../data/versions.ts'
import { areLetters, isPerhapsText } from '../preview/as-text.ts'

/** How a content is shown; null while that is unknown. */
export type ContentKind = 'text' | 'picture' | 'other'

const MAX_TEXT_BYTES = 10 * 1024 ** 2
/** Comparing takes longer than showing. */
const MAX_COMPARED_BYTES = 2 * 1024 ** 2
/** Bytes that are checked for text. */
const HEAD_BYTES = 4096

/** By the type of the file; where that is unknown, by the first bytes. */
export function useContentKind(file: VersionedFile, content: FileContent, { enabled }: { enabled: boolean }): ContentKind | null {
  const { size } = content
  const asks = enabled && isPerhapsText({ type: file.type, size })
  const { data, isLoading } = useQuery({ ...contentQuery(file.path, content), enabled: asks })
  if (asks) return isLoading ? null : data !== undefined && areLetters(data.subarray(0, HEAD_BYTES)) ? 'text' : 'other'
  if (file.type === 'text' || file.type === 'textImmutable') return size <= MAX_TEXT_BYTES ? 'text' : 'other'
  return file.type === 'image' && !isServerOnly(file.name) ? 'picture' : 'other'
}

/** Whether two contents can be shown side by side. */
export function canCompare(kind: ContentKind | null, before: FileContent, after: FileContent): boolean {
  return kind === 'picture' || (kind === 'text' && Math.max(before.size, after.size) <= MAX_COMPARED_BYTES)
}
