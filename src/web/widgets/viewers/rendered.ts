import { orElse } from '../../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../../shared/file-path.ts'

/** How a text can be previewed. */
export type RenderedKind = 'markdown' | 'table'

/** By name; null for plain text. */
export function renderedKind(name: string): RenderedKind | null {
  if (/\.(md|markdown|mdown|mkd)$/i.test(name)) return 'markdown'
  return /\.(csv|tsv|tab)$/i.test(name) ? 'table' : null
}

/** Resolves a reference relative to a folder; null if it is outside the user's files. */
export function resolveReference(folder: FilePath, written: string): FilePath | null {
  const segments = written.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const segment of written.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null
    } else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return orElse(null, () => parseFilePath(`/${segments.join('/')}`))
}
