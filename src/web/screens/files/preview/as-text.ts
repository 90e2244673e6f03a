import { queryOptions } from '@tanstack/react-query'
import { raw } from '../../../../shared/contract/raw.ts'
import { errorFrom } from '../../../../shared/contract/invoke.ts'
import { href } from '../../../../shared/contract/endpoint.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { decodeForReading } from '../../../../shared/text-content.ts'
import { send } from '../../../data/client.ts'
import { inlineAddress } from '../../../data/inline.ts'
import type { OpenedFile } from '../../../data/listing.ts'
import { versionIn } from '../../../data/rows.ts'
import { bytesAt } from '../../../widgets/viewers/byte-source.ts'

/** Larger files are unlikely to be text. */
const MAX_AS_TEXT_BYTES = 1024 * 1024

/** Bytes read for the check. */
const HEAD_BYTES = 4096

/** Whether a file is small and of unknown type. */
export function isPerhapsText({ type, size }: Pick<File, 'type' | 'size'>): boolean {
  return type === 'blob' && size <= MAX_AS_TEXT_BYTES
}

/** Whether bytes are text: UTF-16 with a byte order mark, or without control characters. */
export function areLetters(head: Uint8Array): boolean {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return head.every((byte) => byte >= 0x20 || TEXT_CONTROLS.has(byte))
}

/** Tab, line feed, form feed, carriage return, and the escape of coloured output. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** Checks the first bytes of a file for text. */
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
 * A file of unknown type for the editor: editable if every byte decodes, otherwise read-only, because saving would change its bytes. Needs the
 * download permission.
 */
export async function readAsText(path: FilePath, file: File): Promise<OpenedFile> {
  const response = await send(href(raw.get, { params: { path } }), {})
  // An error response must not be shown or saved as the file. 202: no download permission.
  if (!response.ok || response.status === 202) throw await errorFrom(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const whole = !utf8.includes('\uFFFD') && !utf8.includes('\0')
  const content = whole ? utf8 : decodeForReading(bytes)
  return { kind: 'file', path, file: { ...file, type: whole ? 'text' : 'textImmutable', content }, version: versionIn(response.headers) }
}
