import { fail, nullOn } from '../../shared/errors.ts'
import { isWithin, parseFilePath } from '../../shared/file-path.ts'
import type { DavCall } from '../dav/dav-call.ts'
import { multistatus } from '../dav/multistatus.ts'
import { davChild, elementsOf, parseXml, type XmlElement } from '../dav/parse-xml.ts'
import { describeOne, MAX_XML_BYTES, namesIn } from '../dav/propfind.ts'
import { resourceAt } from '../dav/resource.ts'
import { readText } from '../http/mount.ts'
import { createDialect, type DialectDeps, isFavourite, OC } from './dialect.ts'

/**
 * REPORT `oc:filter-files` with the rule `oc:favorite`: the favourites below a folder, wherever they are. Other rules and reports are refused, because they
 * are about what we do not have.
 */
export async function reportFavourites(deps: DialectDeps, call: DavCall): Promise<Response> {
  const root = parseXml(await readText(call.request, MAX_XML_BYTES))
  const rules = ocChild(root, 'filter-rules')
  const [rule, ...others] = rules === undefined ? [] : elementsOf(rules)
  if (root.namespace !== OC || root.name !== 'filter-files' || rule === undefined || others.length > 0 || !isFavourite(rule))
    fail('invalid-input', { issues: ['body: no filter-files with the rule favorite'] })
  await resourceAt(call.drive, call.path)
  const names = namesIn(davChild(root, 'prop'))
  const favourites = await deps.favouritesOf(call.viewer)
  // Each is described by itself, and all of them are known already.
  const dialect = createDialect({ ...deps, favouritesOf: async () => favourites })
  const found: string[] = []
  for (const path of [...favourites].map(parseFilePath)) {
    if (!isWithin(path, call.path) || path === call.path) continue
    found.push((await nullOn('not-found', describeOne({ ...call, path, dialect }, names))) ?? '')
  }
  return multistatus(found.join(''), dialect.restyle)
}

function ocChild(element: XmlElement, name: string): XmlElement | undefined {
  return elementsOf(element).find((child) => child.namespace === OC && child.name === name)
}
