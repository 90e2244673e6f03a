import { fail } from '../../shared/errors.ts'
import { hrefOf, type DavCall } from '../dav/dav-call.ts'
import { emptyElements, multistatus, responseElement } from '../dav/multistatus.ts'
import { elementsOf, isDav, parseXml, type XmlElement } from '../dav/parse-xml.ts'
import { MAX_XML_BYTES } from '../dav/propfind.ts'
import { proppatch } from '../dav/proppatch.ts'
import { resourceAt } from '../dav/resource.ts'
import { readText } from '../http/mount.ts'
import type { Favourites } from '../favourites/favourites.ts'
import { isFavourite } from './dialect.ts'

/**
 * PROPPATCH: `oc:favorite` alone marks a favourite, or unmarks it, which needs no right but to see the node; with an API token it needs `modify`, because one
 * without rights changes nothing. Anything else is WebDAV's.
 */
export async function patchFavourites(favourites: Favourites, call: DavCall): Promise<Response> {
  const { request, drive, path, viewer } = call
  const text = await readText(request, MAX_XML_BYTES)
  const marks = marksIn(parseXml(text))
  const [mark] = marks
  if (mark === undefined || marks.length > 1 || !isFavourite(mark.property)) {
    const { url, method, headers, signal } = request
    return proppatch({ ...call, request: new Request(url, { method, headers, signal, body: text }) })
  }
  const resource = await resourceAt(drive, path)
  if (viewer.token !== undefined && !(await drive.rights(path)).modify) fail('forbidden', { right: 'modify' })
  const isWanted = mark.isSet && !/^(0|false|)$/.test(textOf(mark.property).trim())
  await (isWanted ? favourites.star(viewer, path) : favourites.unstar(viewer, path))
  const href = hrefOf(call, path, resource)
  return multistatus(responseElement(href, [{ status: 200, properties: emptyElements([mark.property]) }]), call.dialect?.restyle)
}

interface Mark {
  readonly isSet: boolean
  readonly property: XmlElement
}

function marksIn(root: XmlElement): Mark[] {
  return elementsOf(root).flatMap((update) =>
    elementsOf(update)
      .filter((element) => isDav(element, 'prop'))
      .flatMap((prop) => elementsOf(prop).map((property) => ({ isSet: isDav(update, 'set'), property }))),
  )
}

function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}
