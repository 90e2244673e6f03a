import { errorFrom } from '../../shared/contract/invoke.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { shared } from '../../shared/contract/public.ts'
import { address, send } from './client.ts'
import { hasTwoSizes, isServerOnly } from './pictures.ts'
import { sharedInline, type ShareLocation, sharedPicture } from './shared-resource.ts'

export function sharedSubtitle({ hash, path }: ShareLocation): string {
  return address(href(shared.subtitle, { params: { hash, path }, query: { inline: 'true' } }))
}

/** Address of an image for display; `name` decides which rendition browsers can decode. */
export function sharedImage(place: ShareLocation, { name, modified, full }: { name: string; modified: number; full: boolean }): string {
  const big = isServerOnly(name) || (hasTwoSizes(name) && !full)
  return big ? sharedPicture('big', place, modified) : sharedInline(place, modified)
}

/** Reads the first bytes of a shared text. @param most maximum number of bytes */
export async function readSharedText(
  { hash, path }: ShareLocation,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<string> {
  const asked = href(shared.download, { params: { hash, path }, query: { inline: 'true' } })
  const response = await send(asked, { headers: { accept: 'application/json, */*', range: `bytes=0-${most - 1}` }, signal })
  if (!response.ok) throw await errorFrom(response)
  return new TextDecoder().decode(await response.arrayBuffer())
}
