import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { respondPieces } from '../files/pieces-response.ts'
import { readText } from '../http/mount.ts'
import { type DavCall, type Dialect, hrefOf } from './dav-call.ts'
import { depthOf } from './dav-headers.ts'
import { type About, ALLPROP_NAMES, isLive, writeLive } from './live-properties.ts'
import type { Lock } from './lock-store.ts'
import {
  conditionResponse,
  emptyElements,
  MULTISTATUS_FOOT,
  MULTISTATUS_HEAD,
  multistatus,
  responseElement,
  XML_TYPE,
} from './multistatus.ts'
import { davChild, elementsOf, isDav, parseXml } from './parse-xml.ts'
import { propertyNodeOf } from './property-place.ts'
import { type DeadProperty, keyOf } from './property-store.ts'
import { type Resource, resourceAt, resourcesIn } from './resource.ts'
import type { XmlName } from './xml.ts'

export const MAX_XML_BYTES = 256 * 1024
/** Rows of a folder that become one piece of the response. */
const ROWS_AT_ONCE = 100
/** That a client asks for, and of them with their namespaces: each resource says of each whether it has it. */
const MAX_NAMES = 100
const MAX_NAMES_CHARS = 4 * 1024

/** What a client asks for (RFC 4918, section 14.20). */
type Wanted =
  | { readonly kind: 'names' }
  /** Everything, and these besides. */
  | { readonly kind: 'all'; readonly more: readonly XmlName[] }
  | { readonly kind: 'some'; readonly names: readonly XmlName[] }

/**
 * PROPFIND of a node, and of what is in a folder. Long folders are written piece by piece, no faster than the client takes them. A whole tree is refused
 * with `propfind-finite-depth` (RFC 4918, section 9.1).
 */
export async function propfind(call: DavCall): Promise<Response> {
  const { request, drive, path } = call
  const depth = depthOf(request, { allowed: ['0', '1', 'infinity'], absent: 'infinity' })
  const wanted = wantedIn(await readText(request, MAX_XML_BYTES))
  const resource = await resourceAt(drive, path)
  if (depth === 'infinity' && resource.isFolder) return conditionResponse(403, 'propfind-finite-depth')
  const place = await call.locks.placeOf(drive, path)
  const locks = (await call.locks.isEmpty()) ? NO_LOCKS : await locksFor(call, place, { isFolder: resource.isFolder })
  const writers = await call.dialect?.properties(call, path)
  const restyle = call.dialect?.restyle ?? asItIs
  const own = wantsDead(wanted) ? await call.properties.ofNode(await propertyNodeOf(call, path)) : []
  const first = await described(resource, { wanted, writers, dead: own, about: { call, place, locks: locks.of(place) } })
  if (depth !== '1' || !resource.isFolder) return multistatus(first, restyle)
  const children = await drive.list(path, { signal: request.signal, identities: true })
  const rows = children.names.length
  const hasProperties = wantsDead(wanted) && (await call.properties.anyIn(place))

  async function piece(from: number, to: number): Promise<string> {
    const some = resourcesIn(path, children, { from, to })
    const dead = hasProperties
      ? await call.properties.inFolder(
          place,
          some.map(({ name, isLink, identity }) => ({ name, identity: isLink ? '' : identity })),
        )
      : NO_PROPERTIES
    const parts: string[] = []
    for (const one of some) {
      const at = `${place === '/' ? '' : place}/${one.name}` as FilePath
      const text = described(one, { wanted, writers, dead: dead.get(one.name) ?? [], about: { call, place: at, locks: locks.of(at) } })
      parts.push(text instanceof Promise ? await text : text)
    }
    return parts.join('')
  }

  if (rows <= ROWS_AT_ONCE) return multistatus(first + (await piece(0, rows)), restyle)
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    yield encoder.encode(restyle(MULTISTATUS_HEAD + first))
    for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
      // What becomes hidden meanwhile is no reason to stop; who may not ask any more is.
      await drive.renew()
      yield encoder.encode(restyle(await piece(from, Math.min(rows, from + ROWS_AT_ONCE))))
    }
    yield encoder.encode(restyle(MULTISTATUS_FOOT))
  }
  return respondPieces(pieces(), { mediaType: XML_TYPE, request, local: call.local, status: 207 })
}

/** One `D:response` about the node of a call, with these properties. */
export async function describeOne(call: DavCall, names: readonly XmlName[]): Promise<string> {
  const { drive, path } = call
  const wanted: Wanted = { kind: 'some', names }
  const resource = await resourceAt(drive, path)
  const place = await call.locks.placeOf(drive, path)
  const locks = await locksFor(call, place, { isFolder: resource.isFolder })
  const writers = await call.dialect?.properties(call, path)
  const dead = wantsDead(wanted) ? await call.properties.ofNode(await propertyNodeOf(call, path)) : []
  return described(resource, { wanted, writers, dead, about: { call, place, locks: locks.of(place) } })
}

const asItIs = (xml: string): string => xml

const NO_PROPERTIES: ReadonlyMap<string, DeadProperty[]> = new Map()

interface LocksOf {
  /** Which apply to a node at this place. */
  of(place: FilePath): readonly Lock[]
}

const NO_LOCKS: LocksOf = { of: () => [] }

async function locksFor({ locks, drive, path }: DavCall, place: FilePath, { isFolder }: { isFolder: boolean }): Promise<LocksOf> {
  const own = await locks.covering(drive, path)
  const inside = isFolder ? Map.groupBy(await locks.inFolder(place), (lock) => lock.place) : new Map<FilePath, Lock[]>()
  const inherited = own.filter((lock) => lock.deep)
  return { of: (at) => (at === place ? own : [...inherited, ...(inside.get(at) ?? [])]) }
}

function wantsDead(wanted: Wanted): boolean {
  return wanted.kind !== 'some' || wanted.names.some((name) => !isLive(name))
}

function wantedIn(text: string): Wanted {
  if (text.trim() === '') return { kind: 'all', more: [] }
  const root = parseXml(text)
  if (!isDav(root, 'propfind')) return refuse()
  if (davChild(root, 'propname') !== null) return { kind: 'names' }
  if (davChild(root, 'allprop') !== null) return { kind: 'all', more: namesIn(davChild(root, 'include')) }
  const asked = davChild(root, 'prop') ?? refuse()
  return { kind: 'some', names: namesIn(asked) }
}

/** The properties that are named in an element. Fails with `too-large`. */
export function namesIn(element: ReturnType<typeof davChild>): XmlName[] {
  const names = element === null ? [] : elementsOf(element).map(({ namespace, name }) => ({ namespace, name }))
  const asked = new Map(names.map((name) => [keyOf(name), name]))
  if (asked.size > MAX_NAMES) fail('too-large', { limit: MAX_NAMES })
  if ([...asked.keys()].reduce((sum, key) => sum + key.length, 0) > MAX_NAMES_CHARS) fail('too-large', { limit: MAX_NAMES_CHARS })
  return [...asked.values()]
}

function refuse(): never {
  return fail('invalid-input', { issues: ['body: not a propfind'] })
}

type Writers = Awaited<ReturnType<Dialect['properties']>>

interface Describing {
  readonly wanted: Wanted
  readonly writers: Writers | undefined
  readonly dead: readonly DeadProperty[]
  readonly about: About
}

/** One `D:response`. Without a wait where every property is known. */
function described(resource: Resource, { wanted, writers, dead, about }: Describing): string | Promise<string> {
  const href = hrefOf(about.call, resource.path, resource)
  const names = wanted.kind === 'some' ? wanted.names : [...ALLPROP_NAMES, ...dead, ...(wanted.kind === 'all' ? wanted.more : [])]
  const values = names.map((name) => {
    const write = writers?.(name)
    if (write !== undefined && write !== null) return write(resource)
    if (isLive(name)) return writeLive(name, resource, about)
    return dead.find((one) => one.name === name.name && one.namespace === name.namespace)?.value ?? null
  })
  const told = (known: readonly (string | null)[]): string => {
    const has = names.filter((_, i) => known[i] !== null)
    if (wanted.kind === 'names') return responseElement(href, [{ status: 200, properties: emptyElements(has) }])
    const found = known.filter((value) => value !== null)
    const missing = wanted.kind === 'all' ? [] : names.filter((_, i) => known[i] === null)
    return responseElement(href, [
      { status: 200, properties: found },
      { status: 404, properties: emptyElements(missing) },
    ])
  }
  return isKnown(values) ? told(values) : Promise.all(values.map(async (value) => value)).then(told)
}

type Value = string | null

function isKnown(values: readonly (Value | Promise<Value>)[]): values is readonly Value[] {
  return !values.some((value) => value instanceof Promise)
}
