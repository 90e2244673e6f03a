import { fail } from '../../shared/errors.ts'
import { decodeFilePath, type FilePath } from '../../shared/file-path.ts'
import { rawPath } from '../http/router.ts'
import type { DavCall } from './dav-call.ts'

/**
 * A path of this Drive in a URI of a request, such as the header `Destination`: an address of this server, or an absolute path. Null if it is an address of
 * another server, or not below `/dav`.
 */
export function pathInUri(uri: string, { base, request, isOwnHost }: Pick<DavCall, 'base' | 'request' | 'isOwnHost'>): FilePath | null {
  const host = /^https?:\/\/([^/?#]*)/i.exec(uri)?.[1]
  if (host === undefined ? !uri.startsWith('/') || uri.startsWith('//') : !isOwnHost(host, request)) return null
  const path = rawPath(uri)
  if (path !== base && !path.startsWith(`${base}/`)) return null
  return decodeFilePath(path.slice(base.length) || '/').path
}

/** The header `Destination`. Fails with `invalid-input`; null if it is on another server. */
export function destinationOf(call: DavCall): FilePath | null {
  const sent = call.request.headers.get('destination')?.trim()
  if (sent === undefined || sent === '') return fail('invalid-input', { issues: ['destination: missing'] })
  if (sent.includes('#') || sent.includes('?')) return fail('invalid-input', { issues: ['destination: not a path'] })
  return pathInUri(sent, call)
}
