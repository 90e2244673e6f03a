import { EVENTS_MEDIA_TYPE, type Ready } from '../../shared/contract/live.ts'
import type { News } from './news.ts'

/** News as server-sent events (WHATWG HTML, "event stream"); the first is there before the answer begins, so that its failure is the answer. */
export async function respondEvents(news: AsyncGenerator<News, void>, { onEnd }: { onEnd: () => void }): Promise<Response> {
  const encoder = new TextEncoder()
  let next: IteratorResult<News, void>
  try {
    next = await news.next()
  } catch (error) {
    onEnd()
    throw error
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (next.done === true) {
            onEnd()
            return controller.close()
          }
          controller.enqueue(encoder.encode(eventOf(next.value)))
          next = await news.next()
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': EVENTS_MEDIA_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function eventOf(news: News): string {
  if (news.kind === 'beat') return ':\n\n'
  if (news.kind === 'changed') return 'event: changed\ndata: {}\n\n'
  const ready: Ready = { modified: new Date(news.modified).toISOString() }
  return `event: ready\ndata: ${JSON.stringify(ready)}\n\n`
}
