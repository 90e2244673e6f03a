import { parseArchiveFormat } from '../../shared/archive-format.ts'
import { raw } from '../../shared/contract/raw.ts'
import { type Checksum, type File, MTIME_HEADER, resources, TRASHED_HEADER } from '../../shared/contract/resources.ts'
import { fail } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import { type Access, inStorage } from '../access/access.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import { type Archives, respondArchive } from '../archives/respond.ts'
import { checksum } from '../drive/checksum.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import { statusResponse } from '../http/errors.ts'
import { type Call, mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'

import { selectedFiles } from './selected-files.ts'
import { parseDestination } from './destination.ts'
import { respondJson } from './encoding.ts'
import { type FolderRights, folderRights } from './folder-rights.ts'
import { respondFolder, respondFolderInParts, type FolderRequest } from './folder-response.ts'
import type { FolderWriter } from './folder-writer.ts'
import { receiveBody } from './receive-body.ts'
import { describeFile, readFile, sniffedType } from './listing.ts'
import { respondNow, respondRaw, respondRawUnlessFolder } from './raw-response.ts'
import { respondTree } from './tree-response.ts'
import { respondSubtitle } from './subtitle-response.ts'
import { etagOf } from '../drive/etag.ts'
import type { FileNow } from '../drive/read-now.ts'
import { withStaged } from '../drive/with-staged.ts'

export interface FilesDeps {
  readonly driveFor: DriveFor
  /** As `drive/read-now.ts`. */
  readonly readNow: (access: Access, path: FilePath) => FileNow | null
  /** Called before the response if a client turns out to read search results as NDJSON. */
  readonly onNdjsonClient: (viewer: Viewer) => Promise<void>
  /** What is left of a disk's space for this person. */
  readonly spaceOf: (viewer: Viewer, disk: { total: number; used: number }) => Promise<{ total: number; used: number }>
  readonly writer: FolderWriter
  readonly archives: Archives
  /** The name of archives of a whole root. */
  readonly rootName: string
  readonly options: { readonly typeDetectionByHeader: boolean }
}

type StagedFile = Awaited<ReturnType<Drive['stage']>>

/** Undefined if the client does not say how long its body is. */
function announcedBy(request: Request): number | undefined {
  const length = request.headers.get('content-length')
  return length === null ? undefined : Number(length)
}

/** Folders and files: read, write, move, remove. */
export function mountFiles(app: Router, deps: FilesDeps): void {
  const { driveFor } = deps
  const long = createSemaphore({ slots: LONG_TEXTS_AT_ONCE })
  const sums = createSemaphore({ slots: Infinity, each: SUMS_AT_ONCE, retryAfterSeconds: 1 })
  const trees = createSemaphore({ slots: Infinity, each: TREES_AT_ONCE, retryAfterSeconds: 1 })
  const fileFor = (drive: Drive, entry: Entry, call: ReadCall) =>
    entry.stat.size > LONG_TEXT_BYTES
      ? long.run(clientKeyOf(call.viewer), () => respondFile(drive, entry, call), { signal: call.request.signal })
      : respondFile(drive, entry, call)

  mount(app, resources.recursive, async ({ params, viewer }) =>
    respondTree(driveFor(viewer.access), params.path, () => trees.acquireNow(clientKeyOf(viewer))),
  )

  const folderRequestOf = (call: ReadCall, form: FolderRequest['form']): FolderRequest => ({
    request: call.request,
    local: call.local,
    clientKey: clientKeyOf(call.viewer),
    writer: deps.writer,
    form,
    sorting: call.viewer.sorting,
    asked: askedPath(call),
    ...deps.options,
  })

  const rows = async (call: ReadCall, respond: typeof respondFolder): Promise<Response> => {
    const drive = driveFor(call.viewer.access)
    const entry = await drive.stat(call.params.path)
    return entry.stat.kind === 'folder'
      ? respond(drive, entry, folderRequestOf(call, 'rows'))
      : fileFor(drive, entry, { ...call, ...folderRights(drive, entry.path) })
  }
  // First: a request for this media type also contains the beginning of the other's name.
  mount(app, resources.rowsInParts, (call) => rows(call, respondFolderInParts))
  mount(app, resources.rows, (call) => rows(call, respondFolder))

  mount(app, resources.get, async (call) => {
    // Clients from 2.58 on send this header for every folder and file, and no others do (decision 049).
    if (call.headers['x-encoding'] !== undefined) await deps.onNdjsonClient(call.viewer)
    const drive = driveFor(call.viewer.access)
    const entry = await drive.stat(call.params.path)
    if (entry.stat.kind === 'folder') return respondFolder(drive, entry, folderRequestOf(call, 'items'))
    if (call.query.checksum !== undefined) {
      const release = sums.acquireNow(clientKeyOf(call.viewer))
      return respondChecksum(drive, entry, { call, algorithm: call.query.checksum }).finally(release)
    }
    if (call.headers['x-encoding'] === 'true' && (await sniffedType(drive, entry)) === 'text')
      return respondRaw(drive, entry.path, { ...call, inline: false })
    return fileFor(drive, entry, call)
  })

  mount(app, resources.upload, async ({ params: { path, slash }, query, headers, body, viewer, request }) => {
    const drive = driveOf(driveFor, viewer)
    if (slash || path === ROOT) {
      if (path !== ROOT) await drive.makeFolder(path)
      return statusResponse(200)
    }
    const options = { replace: query.override }
    await drive.expect(path, options)
    const store = async (staged: StagedFile) => {
      await receiveBody(staged, { request, body })
      return drive.put(path, staged, { ...options, modified: modifiedOf(headers[MTIME_HEADER]) })
    }
    const stat = await withStaged(drive, path, store, { announced: announcedBy(request) })
    return stored(stat)
  })

  mount(app, resources.save, async ({ params: { path, slash }, headers, body, viewer, request }) => {
    const drive = driveOf(driveFor, viewer)
    if (slash) fail('method-not-allowed', { allow: FOLDER_METHODS })
    const { stat } = await drive.stat(path)
    if (stat.kind === 'folder') fail('method-not-allowed', { allow: FOLDER_METHODS })
    const store = async (staged: StagedFile) => {
      await receiveBody(staged, { request, body })
      return drive.save(path, staged, { ifMatch: headers['if-match'] })
    }
    const saved = await withStaged(drive, path, store, { announced: announcedBy(request) })
    return stored(saved)
  })

  mount(app, resources.remove, async ({ params, query, viewer }) => {
    const trashed = await driveOf(driveFor, viewer).remove(params.path, { permanent: query.permanent })
    return statusResponse(200, trashed === null ? {} : { [TRASHED_HEADER]: trashed.id })
  })

  mount(app, resources.transfer, async ({ params: { path }, query, viewer }) => {
    const drive = driveOf(driveFor, viewer)
    const to = parseDestination(query.destination)
    const options = { replace: query.override, rename: query.rename }
    if (query.action === 'copy') await drive.copy(path, to, options)
    else await drive.move(path, to, options)
    return statusResponse(200)
  })

  mount(app, resources.usage, async ({ params: { path }, viewer }) => {
    const drive = driveFor(viewer.access)
    const { stat } = await drive.stat(path)
    return stat.kind === 'folder' ? deps.spaceOf(viewer, await drive.space(path)) : { total: 0, used: 0 }
  })

  mount(app, resources.subtitle, async ({ params, query, viewer, request }) =>
    respondSubtitle(driveFor(viewer.access), params.path, { request, inline: query.inline }),
  )

  mount(app, raw.get, (call) => {
    const { params, query, viewer, request } = call
    const listed = selectedFiles(params.path, query.files)
    // A part is for `sendFile` with an open file.
    const now = listed !== null || request.headers.has('range') ? null : deps.readNow(viewer.access, params.path)
    const inline = query.inline === 'true'
    return (now && respondNow(now, params.path, { request, inline })) ?? fileOrArchive(listed, call)
  })

  async function fileOrArchive(listed: FilePath[] | null, { params: { path }, query, viewer, request }: Call<typeof raw.get>) {
    const drive = driveFor(viewer.access)
    const file = listed === null ? await respondRawUnlessFolder(drive, path, { request, inline: query.inline === 'true' }) : null
    if (file !== null) return file
    const format = parseArchiveFormat(query.algo)
    const rootName = nameOf(inStorage(viewer.access, ROOT)) || deps.rootName
    return respondArchive(deps.archives, drive, { request, paths: listed ?? [path], format, rootName, clientKey: clientKeyOf(viewer) })
  }
}

/** Milliseconds since 1970 from the seconds that the client sends; undefined for the current time. */
function modifiedOf(seconds: string | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)
}

/** A text of 10 MiB needs some 50 MiB while it becomes a response (GHSA-7xqm-7738-642x). */
const LONG_TEXT_BYTES = 256 * 1024
const LONG_TEXTS_AT_ONCE = 4
/** A checksum reads a whole file and uses the processor all the while (R9). Two dialogs with all four are fine. */
const SUMS_AT_ONCE = 8
/** A recursive listing walks a whole tree (R9). */
const TREES_AT_ONCE = 4

const FOLDER_METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']

type ReadCall = Pick<Call<typeof resources.rows>, 'params' | 'request' | 'local' | 'viewer'> & Pick<FolderRights, 'rights'>

async function respondFile(drive: Drive, entry: Entry, call: ReadCall): Promise<Response> {
  const file = await readFile(drive, entry, { asked: askedPath(call), signal: call.request.signal })
  const response = await respondOne({ ...file, ...(call.rights && { rights: [...call.rights] }) }, call)
  // Read before the content: saving over this version at least does not hide a newer one.
  if (entry.stat.kind === 'file') response.headers.set('etag', etagOf(entry.stat))
  return response
}

async function respondChecksum(
  drive: Drive,
  entry: Entry,
  { call, algorithm }: { call: ReadCall; algorithm: Checksum },
): Promise<Response> {
  await using file = await drive.open(entry.path)
  const sum = await checksum(file, algorithm, { signal: call.request.signal })
  const described = describeFile(entry, { asked: askedPath(call), type: await sniffedType(drive, entry) })
  return respondOne({ ...described, checksums: { [algorithm]: sum } }, call)
}

function respondOne(file: File, { request, local }: ReadCall): Promise<Response> {
  return respondJson({ bytes: new TextEncoder().encode(JSON.stringify(file)), mediaType: 'application/json', request, local })
}

/** The path as in the address, because clients compare it with what they requested. */
function askedPath({ params: { path, slash } }: ReadCall): string {
  return slash && path !== ROOT ? `${path}/` : path
}

/** The response to a write, with the version that was stored. */
function stored(stat: Entry['stat']): Response {
  return statusResponse(200, { etag: etagOf(stat) })
}
