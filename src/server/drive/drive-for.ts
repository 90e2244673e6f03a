import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from './drive.ts'
import { type Actor, actorOf } from './operation.ts'

/** Opens the Drive of an Access. With an actor, hooks and the activity log are told who changes files. */
export type DriveFor = (access: Access, actor?: Actor) => Drive

/** The Drive in which the viewer changes files. */
export function driveOf(driveFor: DriveFor, viewer: Viewer): Drive {
  return driveFor(viewer.access, actorOf(viewer))
}
