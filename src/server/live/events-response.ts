import { EVENTS_MEDIA_TYPE, type Ready } from '../../shared/contract/live.ts'
import { respondStreamed } from '../http/bytes.ts'
import type { News } from './news.ts'

/** News as server-sent events (WHATWG HTML, "event stream"); the first is there before the answer begins, so that its failure is the answer. */
export async function respondEvents(news: AsyncGenerator<News, void>, { onEnd }: { onEnd: () => void }): Promise<Response> {
  // Also what was never asked for its second piece has something to close.
  const close = async (): Promise<void> => {
    onEnd()
    await news.return()
  }
  try {
    const first = await news.next()
    return respondStreamed(textOf(first, news), {
      close,
      headers: { 'content-type': EVENTS_MEDIA_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  } catch (error) {
    await close()
    throw error
  }
}

async function* textOf(first: IteratorResult<News, void>, rest: AsyncGenerator<News, void>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for (let next = first; next.done !== true; next = await rest.next()) yield encoder.encode(eventOf(next.value))
}

function eventOf(news: News): string {
  if (news.kind === 'beat') return ':\n\n'
  if (news.kind === 'changed') return 'event: changed\ndata: {}\n\n'
  const ready: Ready = { modified: new Date(news.modified).toISOString() }
  return `event: ready\ndata: ${JSON.stringify(ready)}\n\n`
}
