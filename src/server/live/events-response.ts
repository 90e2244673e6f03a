import { EVENTS_MEDIA_TYPE, type Ready } from '../../shared/contract/live.ts'
import { respondStreamed } from '../http/bytes.ts'
import type { FolderEvent } from './folder-events.ts'

/**
 * Folder events as server-sent events (WHATWG HTML, "event stream"). The first event exists before the response begins, so that its failure becomes
 * the response.
 */
export async function respondEvents(events: AsyncGenerator<FolderEvent, void>, { onEnd }: { onEnd: () => void }): Promise<Response> {
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
  if (events.kind === 'changed') return 'event: changed\ndata: {}\n\n'
  const ready: Ready = { modified: new Date(events.modified).toISOString() }
  return `event: ready\ndata: ${JSON.stringify(ready)}\n\n`
}
