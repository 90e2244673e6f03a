import type { Hono } from 'hono'
import { live } from '../../shared/contract/live.ts'
import type { Access } from '../access/access.ts'
import type { AccessChanges } from '../access/latest.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import { type Env, mount } from '../http/mount.ts'
import { createClientLimit } from '../http/client-limit.ts'
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

/** One for each tab in sight, with room for those that a lost line has left behind. */
const STREAMS_EACH = 32
const RETRY_AFTER_SECONDS = 10

/** What changes in the folder on show, told to the page that shows it. */
export function mountLive(app: Hono<Env>, { driveFor, bus, changes, closing, pace }: LiveDeps): void {
  const limit = createClientLimit(STREAMS_EACH, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  mount(app, live.folder, async ({ params: { path }, viewer, reauthenticate, request }) => {
    const gone = new AbortController()
    const leave = limit.enter(clientKeyOf(viewer))
    const onEnd = (): void => {
      leave()
      gone.abort()
    }
    // Watching is no sign of life: who left the page open is signed out as if it were closed.
    const drive = async (): Promise<Drive | null> => {
      const now = await reauthenticate({ passive: true })
      return now && driveFor(now.access)
    }
    const signal = AbortSignal.any([request.signal, gone.signal, closing])
    const onAccessChange = (listener: () => void): (() => void) =>
      changes.on((userId) => void ((userId === null || userId === viewer.userId) && listener()))
    return respondEvents(folderEvents(path, { drive, bus, onAccessChange, signal, pace }), { onEnd })
  })
}
