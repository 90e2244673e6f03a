import type { Viewer } from '../access/viewer.ts'
import { type Actor, actorOf } from '../drive/operation.ts'

export type NonNullActor = NonNullable<Actor>

/** Somebody who changes files by WebDAV. @param lockTokens the ids of locks that the request submitted */
export function davActorOf(viewer: Viewer, lockTokens: ReadonlySet<string>): NonNullActor {
  return { ...actorOf(viewer), via: 'dav', lockTokens }
}
