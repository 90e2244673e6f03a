import { href } from '../../shared/contract/endpoint.ts'
import { shared } from '../../shared/contract/public.ts'
import type { Share } from '../../shared/contract/shares.ts'
import { encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import { address } from './client.ts'
import { fullAddress } from './paths.ts'

/** The address of a link's page, whole: to be copied and sent. @param name its hash, or the name it was given */
export function shareLink(name: string): string {
  return location.origin + fullAddress(`/share/${name}`)
}

/** What a link is called in its address. */
export function nameOfShare({ slug, hash }: Pick<Share, 'slug' | 'hash'>): string {
  return slug === '' ? hash : slug
}

/** Where the bytes of a link are, whole: a file as it is, a folder as a zip. */
export function shareDownloadLink(hash: string, path: FilePath = ROOT): string {
  return location.origin + address(href(shared.download, { params: { hash, path } }))
}

/** The address of a place behind a link, for the router: percent-encoded, without base URL. A folder ends with a slash. */
export function urlInShare(hash: string, path: FilePath, { folder }: { folder: boolean }): string {
  const tail = encodeFilePath(path)
  return `/share/${hash}${folder && !tail.endsWith('/') ? `${tail}/` : tail}`
}
