import { versions as calls } from '../../shared/contract/versions.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import { etagOf } from '../drive/etag.ts'
import { respondOpen } from '../files/raw-response.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { Bus } from '../bus/bus.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { openPast, pastContents, restorePast, snapshotOf } from '../snapshots/history.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

export interface VersionsRoutesDeps {
  readonly driveFor: DriveFor
  readonly snapshots: Snapshots
  readonly bus: Pick<Bus, 'announce'>
}

/** In a share with people, editors only: what a file contained before it was shared is not for those who may only read it. */
function requireEditor({ through }: Viewer, drive: Drive, path: FilePath): void {
  if (through !== undefined && !drive.may('modify', path)) fail('forbidden', { right: 'modify' })
}

export function mountVersions(app: Router, { driveFor, snapshots, bus }: VersionsRoutesDeps): void {
  mount(app, calls.content, async ({ params: { path }, query: { id, inline }, viewer, request }) => {
    const drive = driveOf(driveFor, viewer)
    requireEditor(viewer, drive, path)
    const snapshot = snapshotOf(id)
    const file = await (snapshot === null ? drive.openVersion(path, id) : openPast(snapshots, drive, path, snapshot))
    return respondOpen(file, { request, inline: inline === 'true', name: nameOf(path) })
  })

  mount(app, calls.list, async ({ params: { path }, viewer }) => {
    const drive = driveOf(driveFor, viewer)
    requireEditor(viewer, drive, path)
    const { current, versions, policy } = await drive.history(path)
    const past = await pastContents(snapshots, drive, { path, current, versions })
    const kept = versions.map(({ id, at, by, size, modified }) => ({ id, at: iso(at), by, size, modified: iso(modified) }))
    return {
      current: { size: current.size, modified: iso(current.modified) },
      versions: [...kept, ...past.versions].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)),
      policy,
      ...(past.unknown > 0 && { unknownSnapshots: past.unknown }),
    }
  })

  mount(app, calls.restore, async ({ params: { path }, query: { id }, viewer }) => {
    const drive = driveOf(driveFor, viewer)
    const snapshot = snapshotOf(id)
    const stat = await (snapshot === null ? drive.restoreVersion(path, id) : restorePast(snapshots, drive, path, snapshot))
    return statusResponse(200, { etag: etagOf(stat) })
  })

  mount(app, calls.remove, async ({ params: { path }, query, viewer, peer }) => {
    // What snapshots have is none of its versions.
    const { modified } = await driveOf(driveFor, viewer).removeVersion(path, query.id)
    bus.announce('noted', {
      kind: 'version-removed',
      by: performerOf(viewer),
      address: peer,
      subject: path,
      details: detailsOf({}, { modified: iso(modified) }),
    })
    return undefined
  })
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
