import { raw } from '../../../../shared/contract/raw.ts'
import { errorFrom } from '../../../../shared/contract/client.ts'
import { href } from '../../../../shared/contract/endpoint.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { send } from '../../../data/client.ts'
import type { OpenedFile } from '../../../data/listing.ts'
import { versionIn } from '../../../data/rows.ts'

/** Larger ones are hardly texts. */
const MAX_AS_TEXT_BYTES = 1024 * 1024

/** Whether it is worth a look: small, and known as nothing else. */
export function isPerhapsText({ type, size }: File): boolean {
  return type === 'blob' && size <= MAX_AS_TEXT_BYTES
}

/**
 * A file that is no text by its type, for the editor: one may change it where every byte of it is a letter; what is not can only be looked at,
 * because saving would not give the same bytes back. Needs the right to download.
 */
export async function readAsText(path: FilePath, file: File): Promise<OpenedFile> {
  const response = await send(href(raw.get, { params: { path } }), {})
  // The words of a refusal are not the file's, and must not be saved as such. 202: no right to download (decision 9).
  if (!response.ok || response.status === 202) throw await errorFrom(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const content = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const whole = !content.includes('\uFFFD') && !content.includes('\0')
  return { kind: 'file', path, file: { ...file, type: whole ? 'text' : 'textImmutable', content }, version: versionIn(response.headers) }
}
