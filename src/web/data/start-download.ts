import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'

/** Where a file's bytes are; the cookie says who asks. */
export function fileAddress(path: FilePath): string {
  return address(href(raw.get, { params: { path } }))
}

/** Lets the browser take it from here: it shows progress, and the page stays. */
export function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
