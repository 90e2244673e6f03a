import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export interface PeerInfo {
  /** The client's address; null on a unix socket whose peer is not trusted to state one. */
  readonly peer: string | null
  /** Whether the client connected by TLS, to us or to a trusted proxy. */
  readonly secure: boolean
  /** Whether the other end of the connection is a trusted proxy itself. */
  readonly trusted: boolean
  /** Whether responses stay on this machine. What a proxy here forwards does not, whether it is trusted or not (R16). */
  readonly local: boolean
}

export interface Connection {
  /** The other end of the socket; null for a unix socket. Few requests need it, and the system has to be asked. */
  readonly address: () => string | null
  readonly tls: boolean
}

const CLIENT_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-real-ip', 'forwarded']
const FORWARDING = ['via', ...CLIENT_HEADERS]

/**
 * Trusts forwarding headers of the given networks only (invariant I10), and removes them from all other requests. From X-Forwarded-For, the last
 * address that is not a trusted proxy counts: what precedes it was written by the client.
 */
export function createPeerResolver(trustedProxies: readonly string[]): (connection: Connection, headers: Headers) => PeerInfo {
  const networks = blockList(trustedProxies.filter((network) => network !== 'unix'))
  const trustsSocket = trustedProxies.includes('unix')
  const isTrusted = (address: string | null): boolean => (address === null ? trustsSocket : isListed(networks, address))

  return ({ address, tls }, headers) => {
    const near = (): string | null => {
      const told = address()
      return told === null ? null : unmapped(told)
    }
    const isForwarded = FORWARDING.some((name) => headers.has(name))
    if (trustedProxies.length === 0 || !isTrusted(near())) {
      if (isForwarded) for (const name of CLIENT_HEADERS) headers.delete(name)
      return {
        get peer() {
          return near()
        },
        secure: tls,
        trusted: false,
        get local() {
          return !isForwarded && isThisMachine(near())
        },
      }
    }
    const protocol = headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
    const local = !isForwarded && isThisMachine(near())
    return { peer: clientOf(headers, near(), isTrusted), secure: tls || protocol === 'https', trusted: true, local }
  }
}

function isThisMachine(address: string | null): boolean {
  return address === null || address === '::1' || address.startsWith('127.')
}

function clientOf(headers: Headers, near: string | null, isTrusted: (address: string | null) => boolean): string | null {
  let client = near
  for (const part of (headers.get('x-forwarded-for') ?? '').split(',').reverse()) {
    const address = addressIn(part)
    if (address === null) return client
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

/** `1.2.3.4`, `1.2.3.4:80`, `::1`, `[::1]:80`, in quotes or not. Null for anything else. */
function addressIn(part: string): string | null {
  const bare = part.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed = bare] = /^\[([^\]]*)\](?::\d+)?$/.exec(bare) ?? []
  const address = unmapped(bracketed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'))
  return isIP(address) === 0 || address.includes('%') ? null : address
}

function unmapped(address: string): string {
  const inner = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  return inner !== undefined && isIPv4(inner) ? inner : address
}

function isListed(networks: BlockList, address: string): boolean {
  if (isIPv4(address)) return networks.check(address, 'ipv4')
  return isIPv6(address) && networks.check(address, 'ipv6')
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}
