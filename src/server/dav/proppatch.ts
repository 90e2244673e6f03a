import { fail } from '../../shared/errors.ts'
import { readText } from '../http/mount.ts'
import { type DavCall, hrefOf } from './dav-call.ts'
import { isLive } from './live-properties.ts'
import { emptyElements, multistatus, responseElement } from './multistatus.ts'
import { elementsOf, isDav, languageOf, parseXml, serializeXml, type XmlElement } from './parse-xml.ts'
import { MAX_XML_BYTES } from './propfind.ts'
import { propertyNodeOf } from './property-place.ts'
import type { PropertyChange } from './property-store.ts'
import { resourceAt } from './resource.ts'
import { DAV } from './xml.ts'

/** PROPPATCH: all changes or none (RFC 4918, section 9.2). Needs `modify`. */
export async function proppatch(call: DavCall): Promise<Response> {
  const { request, drive, path, actor } = call
  const changes = changesIn(parseXml(await readText(request, MAX_XML_BYTES)))
  const resource = await resourceAt(drive, path)
  if (!(await drive.rights(path)).modify) fail('forbidden', { right: 'modify' })
  await call.guard.expect({ user: actor, access: drive.access, path })
  const href = hrefOf(call, path, resource)
  // Everything in the namespace of DAV is ours, also what later standards add.
  const isProtected = (change: PropertyChange): boolean => isLive(change) || change.namespace === DAV
  if (changes.some(isProtected)) {
    return multistatus(
      responseElement(href, [
        { status: 403, properties: emptyElements(changes.filter(isProtected)), error: '<D:cannot-modify-protected-property/>' },
        { status: 424, properties: emptyElements(changes.filter((change) => !isProtected(change))) },
      ]),
    )
  }
  const node = await propertyNodeOf(call, path)
  if (!node.place.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
  const isChanged = (await hasRoom(call, changes)) && (await call.properties.change(node, changes, call.viewer))
  return multistatus(responseElement(href, [{ status: isChanged ? 200 : 507, properties: emptyElements(changes) }]))
}

/** Properties count for no quota; but who has no room left for files has none for properties. */
async function hasRoom({ viewer, drive, path, spaceOf }: DavCall, changes: readonly PropertyChange[]): Promise<boolean> {
  if (changes.every(({ value }) => value === null)) return true
  const { total, used } = await spaceOf(viewer, await drive.space(path))
  return used < total
}

/** In the order of the document. */
function changesIn(root: XmlElement): PropertyChange[] {
  if (!isDav(root, 'propertyupdate')) return refuse()
  const changes: PropertyChange[] = []
  for (const update of elementsOf(root)) {
    const sets = isDav(update, 'set')
    if (!sets && !isDav(update, 'remove')) continue
    for (const prop of elementsOf(update).filter((element) => isDav(element, 'prop'))) {
      const language = languageOf(prop) ?? languageOf(update) ?? languageOf(root)
      for (const property of elementsOf(prop)) {
        const { namespace, name } = property
        changes.push({ namespace, name, value: sets ? serializeXml(property, { language }) : null })
      }
    }
  }
  return changes.length === 0 ? refuse() : changes
}

function refuse(): never {
  return fail('invalid-input', { issues: ['body: not a propertyupdate'] })
}
