import { live } from '../../shared/contract/live.ts'
import type { Access } from '../access/access.ts'
import type { AccessChanges } from '../access/latest.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { respondEvents } from './events-response.ts'
import { folderEvents, type Pace } from './folder-events.ts'

export interface LiveDeps {
  readonly driveFor: (access: Access) => Drive
  readonly bus: Bus
  readonly changes: AccessChanges
  /** Aborted when the server begins to stop. */
  readonly closing: AbortSignal
  readonly pace?: Pace
}

/** One for each visible tab, with room for those that a lost connection has left behind. */
const STREAMS_EACH = 32
const RETRY_AFTER_SECONDS = 10

/** Changes in the displayed folder, for the page that shows it. */
export function mountLive(app: Router, { driveFor, bus, changes, closing, pace }: LiveDeps): void {
  const limit = createSemaphore({ slots: Infinity, each: STREAMS_EACH, retryAfterSeconds: RETRY_AFTER_SECONDS })

  mount(app, live.folder, async ({ params: { path }, viewer, request }) => {
    const gone = new AbortController()
    const leave = limit.acquireNow(clientKeyOf(viewer))
    const onEnd = (): void => {
      leave()
      gone.abort()
    }
    // Watching does not count as use: an open page is signed out like a closed one.
    const drive = driveFor(viewer.access)
    const signal = AbortSignal.any([request.signal, gone.signal, closing])
    const onAccessChange = (listener: () => void): (() => void) =>
      changes.on((userId) => void ((userId === null || userId === viewer.userId) && listener()))
    return respondEvents(folderEvents(path, { drive, bus, onAccessChange, signal, pace }), { onEnd })
  })
}
