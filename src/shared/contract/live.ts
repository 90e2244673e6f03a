import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** WHATWG HTML, server-sent events. */
export const EVENTS_MEDIA_TYPE = 'text/event-stream'

/** The data of the event `ready`: what changes from now on is told. `modified` is the folder's, to see whether it changed before. */
export const Ready = z.object({ modified: z.iso.datetime() })
export type Ready = z.infer<typeof Ready>

export const live = {
  /**
   * News of a folder as server-sent events: `ready` first, then `changed` (data `{}`) whenever a listing of it may be another now, at most twice
   * a second. Comments in between are signs of life. It ends with the sign-in, and after a `changed` when the folder is no longer there.
   */
  folder: endpoint({ by: 'user', needs: [], method: 'GET', path: '/api/live/*path', result: 'response' }),
}
