import { type FilePath, parseFilePath } from '../../../shared/file-path.ts'

/** What a text can be shown as, besides its letters. */
export type RenderedKind = 'markdown' | 'table'

/** By name; null for texts that are nothing but text. */
export function renderedKind(name: string): RenderedKind | null {
  if (/\.(md|markdown|mdown|mkd)$/i.test(name)) return 'markdown'
  return /\.(csv|tsv|tab)$/i.test(name) ? 'table' : null
}

/** The place that a reference in a text means; null for none within what its reader has. */
export function resolveReference(folder: FilePath, written: string): FilePath | null {
  const segments = written.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const segment of written.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null
    } else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  try {
    return parseFilePath(`/${segments.join('/')}`)
  } catch {
    return null
  }
}
