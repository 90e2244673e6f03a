import type { PeopleShare } from '../../shared/contract/people-shares.ts'
import type { Share } from '../../shared/contract/shares.ts'
import { nullOn } from '../../shared/errors.ts'
import { nameOf, parentOf, parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import { BYTES, contentTypeOf } from '../files/content-type.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Context } from '../http/router.ts'
import { fileNumberOf } from './file-id.ts'
import { permissionsOf, TYPES } from './ocs-share-terms.ts'

export interface DescribeDeps {
  readonly driveFor: DriveFor
  /** The address of this server, without trailing slash, as this request came. */
  readonly serverOf: (c: Context) => string
}

/** A share of either kind. */
export type Given = { readonly kind: 'link'; readonly share: Share } | { readonly kind: 'people'; readonly share: PeopleShare }

/** What a client calls it: a positive number of 31 bits. */
export function numberOf(given: Given): number {
  const id = given.kind === 'link' ? given.share.hash : given.share.id
  return Number(Bun.hash(`${given.kind} ${id}`) & 0x7fff_ffffn)
}

/** As clients read it. Passwords are not told, only that there is one. */
export async function describeShare(
  { driveFor, serverOf }: DescribeDeps,
  c: Context,
  { access, username }: Viewer,
  given: Given,
): Promise<Readonly<Record<string, string | number | null>>> {
  const { share } = given
  const path = parseFilePath(share.path)
  const folder = share.path.endsWith('/')
  const node = await nullOn('not-found', driveFor(access).stat(path))
  const source = node === null ? '0' : fileNumberOf({ identity: node.stat.identity, path })
  return {
    id: String(numberOf(given)),
    uid_owner: username,
    displayname_owner: username,
    uid_file_owner: username,
    displayname_file_owner: username,
    permissions: permissionsOf(given.kind === 'link' ? given.share.rights : given.share.role, { folder }),
    can_edit: 1,
    can_delete: 1,
    stime: given.kind === 'link' ? 0 : Math.floor(given.share.created / 1000),
    parent: null,
    expiration: share.expire === 0 ? null : `${new Date(share.expire * 1000).toISOString().slice(0, 10)} 00:00:00`,
    note: share.message,
    path,
    item_type: folder ? 'folder' : 'file',
    mimetype: folder ? 'httpd/unix-directory' : ((await contentTypeOf(nameOf(path))) ?? BYTES),
    has_preview: 0,
    storage_id: 'home',
    storage: 1,
    item_source: source,
    file_source: source,
    file_parent: fileNumberOf({ identity: '', path: parentOf(path) }),
    file_target: `/${nameOf(path)}`,
    mail_send: 0,
    ...(given.kind === 'link' ? ofLink(given.share, serverOf(c)) : ofPeople(given.share)),
  }
}

function ofLink({ hash, title, hasPassword, rights }: Share, server: string): Record<string, string | number | null> {
  const password = hasPassword ? '***' : null
  return {
    share_type: TYPES.link,
    share_with: password,
    share_with_displayname: password,
    password,
    token: hash,
    url: `${server}/share/${hash}`,
    label: title,
    name: title,
    hide_download: rights === 'view' ? 1 : 0,
  }
}

function ofPeople({ who }: PeopleShare): Record<string, string | number | null> {
  return { share_type: TYPES[who.kind], share_with: who.name, share_with_displayname: who.name, token: null, label: '', hide_download: 0 }
}
