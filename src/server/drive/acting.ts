import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import { type Actor, actorOf } from './announce.ts'
import type { Drive } from './drive.ts'

/** The Drive of an Access; who does something there is named, so that hooks and the trail know it. */
export type DriveFor = (access: Access, actor?: Actor) => Drive

/** The Drive in which somebody does something. */
export function driveOf(driveFor: DriveFor, viewer: Viewer): Drive {
  return driveFor(viewer.access, actorOf(viewer))
}
