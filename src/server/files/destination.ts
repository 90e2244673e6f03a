import { fail } from '../../shared/errors.ts'
import { decodeFilePath, type FilePath, isUtf8Path, isWithin, nameOf, parseFilePath, ROOT } from '../../shared/file-path.ts'

/**
 * The destination of a copy or move. The predecessor's clients encode it twice, so that it is decoded once more here; where that makes no sense,
 * the text itself is the path (decision 11).
 */
export function parseDestination(text: string): FilePath {
  return /%(?![0-9A-Fa-f]{2})/.test(text) ? parseFilePath(text) : decodeFilePath(text).path
}

/** What no tree allows: moving the root, onto the root, into itself, or to a new name that is not UTF-8. */
export function checkRoute(from: FilePath, to: FilePath, { right }: { right: 'create' | 'rename' }): void {
  if (from === ROOT || to === ROOT) fail('forbidden', { right })
  if (from !== to && isWithin(to, from)) fail('invalid-input', { issues: ['source is parent'] })
  if (!isUtf8Path(nameOf(to))) fail('invalid-input', { issues: ['destination: not UTF-8'] })
}

/** Names that are not UTF-8 can be listed, renamed and removed, nothing else (decision 21). */
export function expectUtf8(path: FilePath): FilePath {
  return isUtf8Path(path) ? path : fail('invalid-input', { issues: ['path: not UTF-8'] })
}
