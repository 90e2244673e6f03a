import { decodeFilePath, type FilePath, parseFilePath } from '../../shared/file-path.ts'

/**
 * The destination of a copy or move. The predecessor's clients encode it twice, so it is decoded once more here; if that fails, the text itself is
 * the path.
 */
export function parseDestination(text: string): FilePath {
  return /%(?![0-9A-Fa-f]{2})/.test(text) ? parseFilePath(text) : decodeFilePath(text).path
}
