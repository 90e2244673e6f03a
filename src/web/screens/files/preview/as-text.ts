import { queryOptions } from '@tanstack/react-query'
import { raw } from '../../../../shared/contract/raw.ts'
import { errorFrom } from '../../../../shared/contract/client.ts'
import { href } from '../../../../shared/contract/endpoint.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { decodeForReading } from '../../../../shared/text-content.ts'
import { send } from '../../../data/client.ts'
import { inlineAddress } from '../../../data/inline.ts'
import type { OpenedFile } from '../../../data/listing.ts'
import { versionIn } from '../../../data/rows.ts'
import { bytesAt } from '../../../widgets/viewers/byte-source.ts'

/** Larger ones are hardly texts. */
const MAX_AS_TEXT_BYTES = 1024 * 1024

/** So many bytes tell whether the rest is worth reading. */
const HEAD_BYTES = 4096

/** Whether it is worth a look: small, and known as nothing else. */
export function isPerhapsText({ type, size }: Pick<File, 'type' | 'size'>): boolean {
  return type === 'blob' && size <= MAX_AS_TEXT_BYTES
}

/** Whether bytes are letters, in whatever code: UTF-16 that says so, or without the signs that no text has. */
export function areLetters(head: Uint8Array): boolean {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return head.every((byte) => byte >= 0x20 || TEXT_CONTROLS.has(byte))
}

/** Tab, line feed, form feed, carriage return, and the escape of coloured output. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** Asks the first bytes of a file whether there is a text to open. */
export function isTextQuery(path: FilePath, { modified, size }: Pick<File, 'modified' | 'size'>) {
  return queryOptions({
    queryKey: ['is-text', path, modified],
    queryFn: async ({ signal }) => {
      const source = bytesAt(inlineAddress(path, Date.parse(modified)), size)
      return areLetters(await source.read(0, Math.min(size, HEAD_BYTES), { signal }))
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/**
 * A file that is no text by its type, for the editor: one may change it where every byte of it is a letter; what is not can only be looked at,
 * because saving would not give the same bytes back. Needs the right to download.
 */
export async function readAsText(path: FilePath, file: File): Promise<OpenedFile> {
  const response = await send(href(raw.get, { params: { path } }), {})
  // The words of a refusal are not the file's, and must not be saved as such. 202: no right to download.
  if (!response.ok || response.status === 202) throw await errorFrom(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const whole = !utf8.includes('\uFFFD') && !utf8.includes('\0')
  const content = whole ? utf8 : decodeForReading(bytes)
  return { kind: 'file', path, file: { ...file, type: whole ? 'text' : 'textImmutable', content }, version: versionIn(response.headers) }
}
