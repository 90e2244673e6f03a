import { href } from '../../shared/contract/endpoint.ts'
import { shared } from '../../shared/contract/public.ts'
import type { Share } from '../../shared/contract/shares.ts'
import { encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import { address } from './client.ts'
import { fullAddress } from './paths.ts'

/** Full address of a share page, for copying. @param name hash or custom name */
export function shareLink(name: string): string {
  return location.origin + fullAddress(`/share/${name}`)
}

/** The name of a link in its address. */
export function nameOfShare({ slug, hash }: Pick<Share, 'slug' | 'hash'>): string {
  return slug === '' ? hash : slug
}

/** Full download address of a link: a file as it is, a folder as a zip. */
export function shareDownloadLink(hash: string, path: FilePath = ROOT): string {
  return location.origin + address(href(shared.download, { params: { hash, path } }))
}

/** Router address of a location in a share: percent-encoded, without base URL. A folder ends with a slash. */
export function urlInShare(hash: string, path: FilePath, { folder }: { folder: boolean }): string {
  const tail = encodeFilePath(path)
  return `/share/${hash}${folder && !tail.endsWith('/') ? `${tail}/` : tail}`
}
