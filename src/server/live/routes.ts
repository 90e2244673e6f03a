import { live, EVENTS_MEDIA_TYPE, type Ready } from '../../shared/contract/live.ts'
import type { Access } from '../access/access.ts'
import type { AccessChanges } from '../access/latest.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { folderEvents, type Pace, type FolderEvent } from './folder-events.ts'
import { respondStreamed } from '../http/bytes.ts'

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
    const onShared = (listener: () => void): (() => void) =>
      bus.on('share.changed', ({ recipient }) => {
        // The members of a group are not known here.
        const concerns = recipient !== undefined && (recipient.startsWith('group') || recipient === `user ${viewer.userId}`)
        if (concerns) listener()
      })
    return respondEvents(folderEvents(path, { drive, bus, onAccessChange, onShared, signal, pace }), { onEnd })
  })
}

/**
 * Folder events as server-sent events (WHATWG HTML, "event stream"). The first event exists before the response begins, so that its failure becomes
 * the response.
 */
async function respondEvents(events: AsyncGenerator<FolderEvent, void>, { onEnd }: { onEnd: () => void }): Promise<Response> {
  // Also closes a stream that was never read.
  const close = async (): Promise<void> => {
    onEnd()
    await events.return()
  }
  try {
    const first = await events.next()
    return respondStreamed(textOf(first, events), {
      close,
      headers: { 'content-type': EVENTS_MEDIA_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  } catch (error) {
    await close()
    throw error
  }
}

async function* textOf(
  first: IteratorResult<FolderEvent, void>,
  rest: AsyncGenerator<FolderEvent, void>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for (let next = first; next.done !== true; next = await rest.next()) yield encoder.encode(eventOf(next.value))
}

function eventOf(events: FolderEvent): string {
  if (events.kind === 'heartbeat') return ':\n\n'
  if (events.kind !== 'ready') return `event: ${events.kind}\ndata: {}\n\n`
  const ready: Ready = { modified: new Date(events.modified).toISOString() }
  return `event: ready\ndata: ${JSON.stringify(ready)}\n\n`
}
