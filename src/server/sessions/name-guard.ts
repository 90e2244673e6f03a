import { isIP } from 'node:net'
import { fail } from '../../shared/errors.ts'
import type { Assertion } from './by-proxy.ts'

/** Names that nobody outside can make lead here: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of 2024, and what routers at home use. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|lan)$/

/** Whoever is refused comes again and again; one line in this time is enough for whoever reads the log. */
const TELL_EVERY_MS = 60 * 60_000

/**
 * Where nobody signs in, being here is all it takes, and a page of somebody else can be here: its own name is made to lead to this address, and
 * for the browser all of it is one site (DNS rebinding). So browsers get in by an address, by a name of this network, or by a trusted proxy.
 * Programs send no Origin and pass.
 *
 * @param clock counts milliseconds
 * @returns fails with `forbidden`, and says in the log, now and then, what an operator behind a proxy has to set
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
