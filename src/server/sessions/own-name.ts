import { isIP } from 'node:net'
import { fail } from '../../shared/errors.ts'
import type { Assertion } from './by-proxy.ts'

/** Names that nobody outside can make lead here: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of 2024, and what routers at home use. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|lan)$/

/**
 * Where nobody signs in, being here is all it takes, and a page of somebody else can be here: its own name is made to lead to this address, and
 * for the browser all of it is one site (DNS rebinding). So browsers get in by an address, by a name of this network, or by a trusted proxy.
 * Programs send no Origin and pass. Fails with `forbidden`.
 */
export function refuseForeignName({ headers, trusted }: Assertion): void {
  const origin = headers.get('origin')
  if (trusted || origin === null) return
  const name = (URL.parse(origin)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isLocal = isIP(name) !== 0 || LOCAL_NAME.test(name) || (name !== '' && !name.includes('.'))
  if (!isLocal) fail('forbidden', { right: 'origin' })
}
