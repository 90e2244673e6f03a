import { versions as calls } from '../../shared/contract/versions.ts'
import { nameOf } from '../../shared/file-path.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import { etagOf } from '../drive/etag.ts'
import { respondOpen } from '../files/raw-response.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import type { Bus } from '../bus/bus.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'

export function mountVersions(app: Router, { driveFor, bus }: { readonly driveFor: DriveFor; readonly bus: Pick<Bus, 'announce'> }): void {
  mount(app, calls.content, async ({ params: { path }, query, viewer, request }) => {
    const file = await driveOf(driveFor, viewer).openVersion(path, query.id)
    return respondOpen(file, { request, inline: query.inline === 'true', name: nameOf(path) })
  })

  mount(app, calls.list, async ({ params: { path }, viewer }) => {
    const { current, versions, policy } = await driveOf(driveFor, viewer).history(path)
    return {
      current: { size: current.size, modified: iso(current.modified) },
      versions: versions.map(({ id, at, by, size, modified }) => ({ id, at: iso(at), by, size, modified: iso(modified) })),
      policy,
    }
  })

  mount(app, calls.restore, async ({ params: { path }, query, viewer }) => {
    const stat = await driveOf(driveFor, viewer).restoreVersion(path, query.id)
    return statusResponse(200, { etag: etagOf(stat) })
  })

  mount(app, calls.remove, async ({ params: { path }, query, viewer, peer }) => {
    const { modified } = await driveOf(driveFor, viewer).removeVersion(path, query.id)
    bus.announce('noted', {
      kind: 'version-removed',
      by: { id: viewer.userId, name: viewer.username },
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
