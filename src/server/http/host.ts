import { fail } from '../../shared/errors.ts'
import type { Layer } from './router.ts'

/**
 * `uri-host [":" port]` (RFC 9110 7.2), or nothing. Without the comma, which RFC 3986 allows in a name: the runtime joins the lines of several Host
 * headers by one.
 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** Refuses a request with several Host headers, or with one that is no host (RFC 9112 3.2): a proxy in front may take it for another's. */
export const refuseUnclearHost: Layer = (c, next) => {
  if (!HOST.test(c.header('host') ?? '')) fail('invalid-input', { issues: ['host: several, or not a host'] })
  return next()
}
