import { EVENTS_MEDIA_TYPE, type Ready } from '../../shared/contract/live.ts'
import { respondStreamed } from '../http/bytes.ts'
import type { FolderEvent } from './folder-events.ts'

/** News as server-sent events (WHATWG HTML, "event stream"); the first is there before the answer begins, so that its failure is the answer. */
export async function respondEvents(events: AsyncGenerator<FolderEvent, void>, { onEnd }: { onEnd: () => void }): Promise<Response> {
  // Also what was never asked for its second piece has something to close.
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
  if (events.kind === 'beat') return ':\n\n'
  if (events.kind === 'changed') return 'event: changed\ndata: {}\n\n'
  const ready: Ready = { modified: new Date(events.modified).toISOString() }
  return `event: ready\ndata: ${JSON.stringify(ready)}\n\n`
}
