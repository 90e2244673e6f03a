import { decodeFilePath, encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import { pageConfig } from './page-config.ts'

const FILES = '/files'

/** The address of a place in the files area, for the router: percent-encoded, without base URL. A folder ends with a slash. */
export function urlFromPath(path: FilePath, { folder }: { folder: boolean }): string {
  const tail = encodeFilePath(path)
  return folder && !tail.endsWith('/') ? `${FILES}${tail}/` : `${FILES}${tail}`
}

/**
 * The place an address of the files area means; `pathname` is the router's, without base URL and still percent-encoded.
 * Never use the router's splat: it decodes a literal `%2F` twice.
 * @returns null for an address that means no place
 */
export function pathFromLocation(pathname: string): { path: FilePath; folder: boolean } | null {
  if (pathname === FILES) return { path: ROOT, folder: true }
  if (!pathname.startsWith(`${FILES}/`)) return null
  try {
    // Several slashes are one, as in the addresses that people kept from older servers.
    const { path, slash } = decodeFilePath(pathname.slice(FILES.length).replace(/(?:\/|%2f){2,}/gi, '/'))
    return { path, folder: slash || path === ROOT }
  } catch {
    return null
  }
}

/** What stands in the address bar for a router address: for links that are copied or opened by the browser. */
export function fullAddress(url: string): string {
  return pageConfig.BaseURL + url
}

/** Where to go after signing in: an address of this very application, else the files. */
export function safeRedirect(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/')) return `${FILES}/`
  const here = 'http://here.invalid'
  const url = URL.parse(wanted, here)
  // A path such as `//elsewhere`, `/\elsewhere` or one with a tab in it is somebody else's address to a browser.
  if (url === null || url.origin !== here || url.pathname === '/login' || url.pathname === '/') return `${FILES}/`
  return url.pathname + url.search + url.hash
}
