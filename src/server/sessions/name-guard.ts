import { isIP } from 'node:net'
import { fail } from '../../shared/errors.ts'
import type { Assertion } from './by-proxy.ts'

/** Names that nobody outside can point to this server: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of 2024, and names used by home routers. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|lan)$/

/** Refused clients come again and again; one log line in this time is enough. */
const TELL_EVERY_MS = 60 * 60_000

/**
 * Without sign-in, reaching the server is all it takes, and a page of another site can reach it: its own name is made to resolve to this address, so
 * that the browser considers all of it one site (DNS rebinding). So browsers must use an address, a local name, or a trusted proxy. Programs send no
 * Origin and pass.
 * @param clock counts milliseconds
 * @returns a function that fails with `forbidden`, and logs now and then what an operator behind a proxy has to set
 */
export function createNameGuard(
  log: (line: string) => void,
  { clock = () => performance.now() }: { clock?: () => number } = {},
): (assertion: Assertion) => void {
  let toldAt = -Infinity
  return ({ headers, trusted }) => {
    const origin = headers.get('origin')
    if (trusted || origin === null) return
    const name = (URL.parse(origin)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    const isLocal = isIP(name) !== 0 || LOCAL_NAME.test(name) || (name !== '' && !name.includes('.'))
    if (isLocal) return
    if (clock() - toldAt >= TELL_EVERY_MS) {
      toldAt = clock()
      log(
        `noauth: refused a browser at ${name || 'an unnamed page'}, which is no name of this network; behind a proxy, set --trustedProxies`,
      )
    }
    fail('forbidden', { right: 'origin' })
  }
}
