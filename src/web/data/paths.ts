import { decodeFilePath, encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import { pageConfig } from './page-config.ts'

const FILES = '/files'

/** The router address of a path in the files area: percent-encoded, without base URL. A folder ends with a slash. */
export function urlFromPath(path: FilePath, { folder }: { folder: boolean }): string {
  const tail = encodeFilePath(path)
  return folder && !tail.endsWith('/') ? `${FILES}${tail}/` : `${FILES}${tail}`
}

/**
 * The path of a files address; `pathname` is the router's, without base URL and still percent-encoded. Never use the router's splat: it decodes a
 * literal `%2F` twice.
 * @returns null for an invalid address
 */
export function pathFromLocation(pathname: string): { path: FilePath; folder: boolean } | null {
  if (pathname === FILES) return { path: ROOT, folder: true }
  if (!pathname.startsWith(`${FILES}/`)) return null
  try {
    // Multiple slashes count as one, for addresses of older servers.
    const { path, slash } = decodeFilePath(pathname.slice(FILES.length).replace(/(?:\/|%2f){2,}/gi, '/'))
    return { path, folder: slash || path === ROOT }
  } catch {
    return null
  }
}

/** Full address of a router address, for copying and for native links. */
export function fullAddress(url: string): string {
  return pageConfig.BaseURL + url
}

/** The target after signing in: an address of this application, otherwise the files. */
export function safeRedirect(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/')) return `${FILES}/`
  const here = 'http://here.invalid'
  const url = URL.parse(wanted, here)
  // `//host`, `/\host` and paths with a tab refer to another origin.
  if (url === null || url.origin !== here || url.pathname === '/login' || url.pathname === '/') return `${FILES}/`
  return url.pathname + url.search + url.hash
}
