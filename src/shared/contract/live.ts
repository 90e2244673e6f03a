import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** WHATWG HTML, server-sent events. */
export const EVENTS_MEDIA_TYPE = 'text/event-stream'

/** The data of the event `ready`: later changes are reported. `modified` is the folder's, to detect earlier changes. */
export const Ready = z.object({ modified: z.iso.datetime() })
export type Ready = z.infer<typeof Ready>

export const live = {
  /**
   * Events of a folder as server-sent events: `ready` first, then `changed` (data `{}`) whenever its listing may have changed, at most twice a
   * second, and `shared` whenever what others share with the caller may have changed. Comments in between keep the connection alive. Ends with the sign-in, and after a `changed` if the folder no longer exists.
   */
  folder: endpoint('user', 'GET /api/live/*path'),
}
