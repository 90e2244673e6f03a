import { parseArchiveFormat } from '../../shared/archive-format.ts'
import { snapshots as calls } from '../../shared/contract/snapshots.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import { type Archives, respondArchive } from '../archives/respond.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { driveOf } from '../drive/drive-for.ts'
import { respondRawUnlessFolder } from '../files/raw-response.ts'
import { selectedFiles } from '../files/selected-files.ts'
import { type Call, mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { UserJobRunner } from '../user-jobs/runner.ts'
import { entriesOf, snapshotsOf } from './past-folder.ts'
import { prepareRestore } from './restore.ts'
import type { OpenSnapshot, Snapshots } from './snapshots.ts'

export interface SnapshotsRoutesDeps {
  readonly snapshots: Snapshots
  readonly driveFor: DriveFor
  readonly archives: Archives
  readonly userJobs: UserJobRunner
  /** The name of archives of a whole root. */
  readonly rootName: string
}

export function mountSnapshots(app: Router, { snapshots, driveFor, archives, userJobs, rootName }: SnapshotsRoutesDeps): void {
  mount(app, calls.raw, async (call) => {
    const { params, query, viewer, request } = call
    const past = await snapshots.open(query.id, viewer.access)
    const listed = selectedFiles(params.path, query.files)
    try {
      const options = { request, inline: query.inline === 'true' }
      const file = listed === null ? await respondRawUnlessFolder(past.drive, params.path, options) : null
      // An open file remains open.
      if (file !== null) past[Symbol.dispose]()
      return file ?? (await respondFolder(past, listed ?? [params.path], call))
    } catch (error) {
      past[Symbol.dispose]()
      throw error
    }
  })

  function respondFolder(past: OpenSnapshot, paths: readonly FilePath[], { query, viewer, request }: Call<typeof calls.raw>) {
    return respondArchive(whileSent(archives, past), past.drive, {
      request,
      paths,
      format: parseArchiveFormat(query.algo),
      rootName: nameOf(inStorage(viewer.access, ROOT)) || rootName,
      clientKey: clientKeyOf(viewer),
    })
  }

  mount(app, calls.entries, async ({ params: { path }, query, viewer }) => {
    using past = await snapshots.open(query.id, viewer.access)
    return await entriesOf(past.drive, driveFor(viewer.access), path)
  })

  mount(app, calls.list, ({ params: { path }, viewer }) => snapshotsOf(snapshots, driveFor(viewer.access), path))

  mount(app, calls.restore, async ({ viewer, body: { id, items } }) => {
    const prepare = () => prepareRestore(snapshots, { drive: driveOf(driveFor, viewer), id, items })
    return { job: await userJobs.launch(viewer, { kind: 'restore-snapshot', prepare }) }
  })
}

/** The same archives; a snapshot is open until the response has been sent, which is when its slot is free. */
function whileSent({ checksums, limits: { stored, compressed } }: Archives, past: OpenSnapshot): Archives {
  const releasing = (limit: typeof stored): typeof stored => ({
    ...limit,
    acquireNow(client) {
      const release = limit.acquireNow(client)
      return () => {
        release()
        past[Symbol.dispose]()
      }
    },
  })
  return { checksums, limits: { stored: releasing(stored), compressed: releasing(compressed) } }
}
