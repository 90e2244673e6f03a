import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'

/**
 * Address of a file for inline display; authenticated by the cookie, so it contains no credential.
 * @param modified milliseconds since 1970; changes the address when the file changes
 */
export function inlineAddress(path: FilePath, modified: number): string {
  return address(href(raw.get, { params: { path }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}
