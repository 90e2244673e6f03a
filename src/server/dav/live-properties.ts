import { type FilePath, pathsTo, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { contentTypeOf, BYTES } from '../files/content-type.ts'
import { httpDate } from '../http/file-headers.ts'
import { type DavCall, hrefOf } from './dav-call.ts'
import { lockTokenOf } from './dav-headers.ts'
import type { Lock } from './lock-store.ts'
import { createdAt, etagFor, type Resource } from './resource.ts'
import { DAV, escapeXml, type XmlName } from './xml.ts'

/** What properties of one resource are made from, besides the resource. */
export interface About {
  readonly call: DavCall
  /** Where locks look for it. */
  readonly place: FilePath
  readonly locks: readonly Lock[]
}

/** The element of a property, as text; null if this resource does not have it. */
type Write = (resource: Resource, about: About) => string | null | Promise<string | null>

const LOCK_KINDS = ['exclusive', 'shared'] as const
const SUPPORTED_LOCK = `<D:supportedlock>${LOCK_KINDS.map(
  (kind) => `<D:lockentry><D:lockscope><D:${kind}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
).join('')}</D:supportedlock>`

/** In the order in which they are written (RFC 4918, section 15; quotas RFC 4331). */
const LIVE: Readonly<Record<string, Write>> = {
  resourcetype: ({ isFolder }) => (isFolder ? '<D:resourcetype><D:collection/></D:resourcetype>' : '<D:resourcetype/>'),
  displayname: ({ name }) => element('displayname', escapeXml(name)),
  getlastmodified: ({ modified }) => element('getlastmodified', httpDate(modified)),
  creationdate(resource) {
    const created = createdAt(resource)
    return created === null ? null : element('creationdate', new Date(created).toISOString().replace(/\.\d+Z$/, 'Z'))
  },
  getcontentlength: ({ isFolder, size }) => (isFolder ? null : element('getcontentlength', String(size))),
  getcontenttype({ isFolder, name }) {
    if (isFolder) return null
    const type = contentTypeOf(name)
    if (type instanceof Promise) return type.then((found) => element('getcontenttype', escapeXml(found)))
    return element('getcontenttype', escapeXml(type ?? BYTES))
  },
  getetag(resource) {
    const etag = etagFor(resource)
    return etag === null ? null : element('getetag', escapeXml(etag))
  },
  supportedlock: () => SUPPORTED_LOCK,
  lockdiscovery: ({ path }, about) => lockDiscovery(path, about),
  'quota-available-bytes': async (resource, { call }) => quota(resource, call, ({ total, used }) => Math.max(0, total - used), 'available'),
  'quota-used-bytes': async (resource, { call }) => quota(resource, call, ({ used }) => used, 'used'),
}

/** Not told by `allprop`, because each costs a question to the disk (RFC 4331, section 3 and 4). */
const ONLY_IF_NAMED = new Set(['quota-available-bytes', 'quota-used-bytes'])

export const ALLPROP_NAMES: readonly XmlName[] = Object.keys(LIVE)
  .filter((name) => !ONLY_IF_NAMED.has(name))
  .map((name) => ({ namespace: DAV, name }))

export function isLive({ namespace, name }: XmlName): boolean {
  return namespace === DAV && Object.hasOwn(LIVE, name)
}

export function writeLive({ name }: XmlName, resource: Resource, about: About): ReturnType<Write> {
  return LIVE[name]?.(resource, about) ?? null
}

function element(name: string, text: string): string {
  return `<D:${name}>${text}</D:${name}>`
}

async function quota(
  { isFolder, path }: Resource,
  { viewer, drive, spaceOf }: DavCall,
  value: (space: { total: number; used: number }) => number,
  which: 'available' | 'used',
): Promise<string | null> {
  if (!isFolder) return null
  return element(`quota-${which}-bytes`, String(value(await spaceOf(viewer, await drive.space(path)))))
}

/** Tokens are told to their holder only: nobody else can use them (RFC 4918, section 6.8). */
export function lockDiscovery(path: FilePath, about: About): string {
  return element('lockdiscovery', about.locks.map((lock) => activeLock(lock, path, about)).join(''))
}

function activeLock(lock: Lock, path: FilePath, { call, place }: About): string {
  const { id, deep, exclusive, owner, userId, expiresAt } = lock
  const seconds = Math.max(0, Math.ceil((expiresAt - call.clock().getTime()) / 1000))
  // As many levels above the resource as its place is below that of the lock; one above everything that this viewer sees is told as the first folder.
  const root = pathsTo(path)[segmentsOf(place).length - segmentsOf(lock.place).length] ?? ROOT
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${exclusive ? 'exclusive' : 'shared'}/></D:lockscope>`,
    `<D:depth>${deep ? 'infinity' : '0'}</D:depth>`,
    owner,
    `<D:timeout>Second-${seconds}</D:timeout>`,
    userId === call.viewer.userId ? `<D:locktoken><D:href>${lockTokenOf(id)}</D:href></D:locktoken>` : '',
    `<D:lockroot><D:href>${escapeXml(hrefOf(call, root, { isFolder: deep }))}</D:href></D:lockroot>`,
    '</D:activelock>',
  ].join('')
}
