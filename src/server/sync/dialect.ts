import type { FilePath } from '../../shared/file-path.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DavCall, Dialect, WriteProperty } from '../dav/dav-call.ts'
import type { Resource } from '../dav/resource.ts'
import { etagFor } from '../dav/resource.ts'
import { DAV, escapeXml, type XmlName } from '../dav/xml.ts'
import { fileIdOf, fileNumberOf } from './file-id.ts'
import { type FolderEtags, type FolderEtagsDeps, folderEtagsOf } from './folder-etags.ts'
import type { KnownSums } from './known-sums.ts'
import { checked, modifiedOf, storedHeaders, sumIn } from './upload-headers.ts'

export const OC = 'http://owncloud.org/ns'
export const NC = 'http://nextcloud.org/ns'

export interface DialectDeps extends FolderEtagsDeps {
  readonly sums: KnownSums
  /** The viewer's paths. */
  readonly favouritesOf: (viewer: Viewer) => Promise<ReadonlySet<string>>
  /** Bytes below a folder that the viewer sees, and below each folder in it, by path; null if that is not known at once. */
  readonly sizesOf: (call: DavCall, folder: FilePath) => Promise<ReadonlyMap<FilePath, number> | null>
}

/** The dialect of Nextcloud's clients: their properties and headers, and the prefixes of XML that some of them read by the letter. */
export function createDialect(deps: DialectDeps): Dialect {
  return {
    async properties(call, folder) {
      const etags = await folderEtagsOf(deps, call, folder, { children: call.request.headers.get('depth')?.trim() === '1' })
      const write = propertiesOf(deps, { call, folder, etags })
      return ({ namespace, name }) => write[namespace]?.[name] ?? null
    },
    restyle,
    modifiedOf,
    checked,
    storedHeaders(stat, request) {
      const sent = sumIn(request.headers)
      deps.sums.learn(stat, sent === null ? null : `${sent.kind}:${sent.sum}`)
      return storedHeaders(stat, request)
    },
  }
}

interface Asked {
  readonly call: DavCall
  readonly folder: FilePath
  readonly etags: FolderEtags
}

type Writers = Readonly<Record<string, WriteProperty>>

function propertiesOf(deps: DialectDeps, { call, folder, etags }: Asked): Readonly<Record<string, Writers>> {
  let favourites: Promise<ReadonlySet<string>> | null = null
  let sizes: ReturnType<DialectDeps['sizesOf']> | null = null
  const { username } = call.viewer
  return {
    [DAV]: {
      getetag(resource) {
        const etag = resource.isFolder ? etags.of(resource.path) : etagFor(resource)
        return etag === null ? null : `<D:getetag>${escapeXml(etag)}</D:getetag>`
      },
    },
    [OC]: {
      fileid: (resource) => oc('fileid', fileNumberOf(resource)),
      id: (resource) => oc('id', fileIdOf(resource)),
      permissions: (resource) => oc('permissions', permissionsOf(resource, call)),
      async size({ isFolder, size, path }) {
        if (!isFolder) return oc('size', String(size))
        sizes ??= deps.sizesOf(call, folder)
        const known = (await sizes)?.get(path)
        return known === undefined ? null : oc('size', String(known))
      },
      async favorite({ path }) {
        favourites ??= deps.favouritesOf(call.viewer)
        return oc('favorite', (await favourites).has(path) ? '1' : '0')
      },
      checksums(resource) {
        // It tells what is in the file.
        const isTold = !resource.isFolder && call.drive.may('download', resource.path)
        const sum = isTold ? deps.sums.find(etagFor(resource)) : null
        return sum === null ? null : `<oc:checksums><oc:checksum>${escapeXml(sum)}</oc:checksum></oc:checksums>`
      },
      'owner-id': () => oc('owner-id', username),
      'owner-display-name': () => oc('owner-display-name', username),
      'share-types': () => '<oc:share-types/>',
      'comments-unread': () => oc('comments-unread', '0'),
    },
    [NC]: {
      'has-preview': () => '<nc:has-preview>false</nc:has-preview>',
      'is-encrypted': ({ isFolder }) => (isFolder ? '<nc:is-encrypted>0</nc:is-encrypted>' : null),
      'mount-type': () => '<nc:mount-type/>',
    },
  }
}

function oc(name: string, text: string): string {
  return `<oc:${name}>${escapeXml(text)}</oc:${name}>`
}

/** Share (`R`), read (`G`), delete (`D`), rename (`N`), move (`V`), write a file (`W`), create files (`C`) and folders (`K`) in a folder. */
function permissionsOf({ path, isFolder }: Resource, { drive }: DavCall): string {
  const may = (right: Parameters<typeof drive.may>[0]): boolean => drive.may(right, path)
  const isRoot = path === ROOT
  if (drive.isReadOnly(path)) return may('download') ? 'G' : ''
  return [
    may('share') && !isRoot ? 'R' : '',
    may('download') ? 'G' : '',
    may('delete') && !isRoot ? 'D' : '',
    may('rename') && !isRoot ? 'NV' : '',
    !isFolder && may('modify') ? 'W' : '',
    isFolder && may('create') ? 'CK' : '',
  ].join('')
}

const DECLARED = `xmlns:d="${DAV}" xmlns:oc="${OC}" xmlns:nc="${NC}"`

/** Some clients know elements by their prefix. What stands in texts is escaped, so that only tags are changed. */
function restyle(xml: string): string {
  return xml
    .replace(/<(\/?)D:/g, '<$1d:')
    .replace('<d:multistatus xmlns:D="DAV:">', `<d:multistatus ${DECLARED}>`)
    .replace(
      /<([\w-]+) xmlns="http:\/\/(owncloud|nextcloud)\.org\/ns"\/>/g,
      (_, name: string, whose: string) => `<${whose === 'owncloud' ? 'oc' : 'nc'}:${name}/>`,
    )
}

/** Whether it is what clients set to mark a favourite. */
export function isFavourite({ namespace, name }: XmlName): boolean {
  return namespace === OC && name === 'favorite'
}
