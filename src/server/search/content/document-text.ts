import type { DocumentText } from '../../../shared/contract/search.ts'
import { type FilePath, nameOf } from '../../../shared/file-path.ts'
import { MAX_SEARCHED_DOCUMENT_BYTES, MAX_SHOWN_DOCUMENT_TEXT_BYTES } from '../../../shared/limits.ts'
import type { Drive } from '../../drive/drive.ts'
import { documentKind, type DocumentTexts } from './document-texts.ts'

const NONE: DocumentText = { text: '', isCut: false }

/** The text of an office document or book, for reading it without its layout. Other files have none. */
export async function readDocumentText(texts: DocumentTexts, drive: Drive, path: FilePath, signal: AbortSignal): Promise<DocumentText> {
  await using file = await drive.open(path)
  if (documentKind(nameOf(path)) !== 'paragraphs' || file.stat.size > MAX_SEARCHED_DOCUMENT_BYTES) return NONE
  const bytes = await texts(file, 'paragraphs', signal)
  if (bytes === null) return NONE
  const shown = bytes.subarray(0, MAX_SHOWN_DOCUMENT_TEXT_BYTES)
  const isCut = bytes.length > shown.length
  // The cut may be inside a character.
  return { text: new TextDecoder().decode(shown, { stream: isCut }).trim(), isCut }
}
