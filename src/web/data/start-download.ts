import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'

/** Address of a file's bytes; authenticated by the cookie. */
export function fileAddress(path: FilePath): string {
  return address(href(raw.get, { params: { path } }))
}

/** Starts a browser download; the page stays. */
export function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
