import { trash as calls, type TrashEntry } from '../../shared/contract/trash.ts'
import { fail } from '../../shared/errors.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import type { Dialect } from '../dav/dav-call.ts'
import { depthOf } from '../dav/dav-headers.ts'
import { multistatus, responseElement } from '../dav/multistatus.ts'
import type { DavDeps } from '../dav/routes.ts'
import { escapeXml } from '../dav/xml.ts'
import { driveOf } from '../drive/drive-for.ts'
import { contentTypeOf, BYTES } from '../files/content-type.ts'
import { httpDate } from '../http/file-headers.ts'
import { expectCallable } from '../http/mount.ts'
import { type Context, rawPath } from '../http/router.ts'
import type { TrashServices } from '../trash/module.ts'
import type { JobProgress } from '../user-jobs/prepared-job.ts'
import { fileIdOf, fileNumberOf } from './file-id.ts'

export type SyncTrashDeps = DavDeps & TrashServices

/** Entries that one listing tells, the newest first; clients ask for no page. */
const MOST_LISTED = 5000

/** No other server goes on with it. */
const ONLY_HERE = async (): Promise<void> => {}
/** Nobody looks at it while it runs. */
const UNSEEN: JobProgress = { total() {}, read() {}, placed() {}, leftOut() {}, failed() {} }

export interface TrashRequest {
  readonly viewer: Viewer
  readonly dialect: Dialect
  /** As it was sent. */
  readonly user: string
}

/**
 * `/remote.php/dav/trashbin/USER/trash`: what this person deleted. An entry is restored by MOVE to `/restore/`, to where it was, under a name with a number
 * if that is taken; removed for good by DELETE; DELETE of the trash itself empties it. What is in a deleted folder is not listed.
 */
export async function handleTrash(deps: SyncTrashDeps, c: Context, { viewer, dialect, user }: TrashRequest): Promise<Response> {
  const { trash, prepareEmpty, driveFor, baseUrl } = deps
  const { request, path, bindings } = c
  const base = `/remote.php/dav/trashbin/${user}`
  const [, id = ''] = /^\/trash(?:\/([0-9a-f-]{36}))?\/?$/.exec(path.slice(base.length)) ?? fail('not-found', {})
  const { method } = request

  if (method === 'PROPFIND') {
    expectCallable(calls.list, viewer)
    const depth = depthOf(request, { allowed: ['0', '1'], absent: '1' })
    const at = `${baseUrl}${base}/trash/`
    const entries = id === '' && depth === '0' ? [] : await entriesOf(deps, viewer, request.signal)
    if (id !== '') return multistatus(await elementOf(entries.find((one) => one.id === id) ?? fail('not-found', {}), at), dialect.restyle)
    const folder = responseElement(at, [{ status: 200, properties: ['<D:resourcetype><D:collection/></D:resourcetype>'] }])
    const elements = await Promise.all(entries.map((entry) => elementOf(entry, at)))
    return multistatus(folder + elements.join(''), dialect.restyle)
  }
  if (method === 'DELETE' && id === '') {
    expectCallable(calls.empty, viewer)
    // Not as a job: those belong to a sign-in of the web or a token, and here may be a password.
    const { run } = prepareEmpty(viewer, { all: false, address: bindings.peer })
    await run({
      drive: driveOf(driveFor, viewer),
      progress: UNSEEN,
      clientKey: clientKeyOf(viewer),
      signal: request.signal,
      changing: ONLY_HERE,
    })
    return new Response(null, { status: 204 })
  }
  if (method === 'DELETE') {
    expectCallable(calls.remove, viewer)
    await trash.remove(viewer, id, { address: bindings.peer })
    return new Response(null, { status: 204 })
  }
  if (method === 'MOVE' && id !== '') {
    expectCallable(calls.restore, viewer)
    const to = rawPath(request.headers.get('destination')?.trim() ?? '')
    if (!to.startsWith(`${baseUrl}${base}/restore/`)) fail('invalid-input', { issues: ['destination: not below restore'] })
    await trash.restore(viewer, id, { replace: false, rename: true })
    return new Response(null, { status: 201 })
  }
  return fail('method-not-allowed', { allow: [] })
}

async function entriesOf({ trash }: SyncTrashDeps, viewer: Viewer, signal: AbortSignal): Promise<TrashEntry[]> {
  const found: TrashEntry[] = []
  for (let after: string | null = null; ;) {
    const page = await trash.list(viewer, { limit: '500', all: false, ...(after !== null && { after }) }, { signal })
    found.push(...page.entries)
    if (page.next === null || found.length >= MOST_LISTED) return found.slice(0, MOST_LISTED)
    after = page.next
  }
}

/** All that is known: clients take what they asked for. */
async function elementOf({ id, name, path, isDir, size, deletedAt }: TrashEntry, at: string): Promise<string> {
  const deleted = Date.parse(deletedAt)
  const node = { identity: `trash ${id}`, path }
  const properties = [
    isDir ? '<D:resourcetype><D:collection/></D:resourcetype>' : '<D:resourcetype/>',
    `<D:displayname>${escapeXml(name)}</D:displayname>`,
    `<D:getlastmodified>${httpDate(deleted)}</D:getlastmodified>`,
    ...(isDir ? [] : [`<D:getcontenttype>${escapeXml((await contentTypeOf(name)) ?? BYTES)}</D:getcontenttype>`]),
    ...(size === null ? [] : [`<oc:size>${size}</oc:size>`]),
    ...(size === null || isDir ? [] : [`<D:getcontentlength>${size}</D:getcontentlength>`]),
    `<oc:id>${fileIdOf(node)}</oc:id>`,
    `<oc:fileid>${fileNumberOf(node)}</oc:fileid>`,
    '<oc:permissions>GD</oc:permissions>',
    '<nc:has-preview>false</nc:has-preview>',
    `<nc:trashbin-filename>${escapeXml(name)}</nc:trashbin-filename>`,
    `<nc:trashbin-original-location>${escapeXml(path.replace(/^\/|\/$/g, ''))}</nc:trashbin-original-location>`,
    `<nc:trashbin-deletion-time>${Math.floor(deleted / 1000)}</nc:trashbin-deletion-time>`,
  ]
  return responseElement(`${at}${id}${isDir ? '/' : ''}`, [{ status: 200, properties }])
}
