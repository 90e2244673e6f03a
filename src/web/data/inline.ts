import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'

/**
 * Where a file's bytes are shown in place; the cookie says who asks, so no credential is in the address.
 * @param modified milliseconds since 1970: the same version has the same address, another one another
 */
export function inlineAddress(path: FilePath, modified: number): string {
  return address(href(raw.get, { params: { path }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}
