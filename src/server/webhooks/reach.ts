import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** The checked address of a delivery, so that a second lookup cannot return another one. */
export interface Target {
  readonly address: string
  readonly port: number
  readonly tls: boolean
  /** For the certificate and the Host header. */
  readonly hostname: string
  readonly host: string
  /** Path and query. */
  readonly path: string
}

/** Why it cannot be delivered, in words for the administrator. */
export class Unreachable extends Error {}

export type Resolve = (hostname: string) => Promise<readonly string[]>

const WEB_PORTS = new Set([80, 443])
/** Ports below belong to system services (RFC 6335 §6). */
const FIRST_FREE_PORT = 1024

/**
 * Everything that is not the public internet, by IANA's registries of special-purpose addresses: this machine, private networks, link-local including
 * the metadata services of clouds, documentation, multicast, and IPv6 ranges that contain IPv4 addresses (6to4, Teredo).
 */
const SPECIAL = blockList(
  [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16',
    '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
  ].flatMap((line) => line.split(' ')),
)
/** The rest of IPv6 is unassigned or local. */
const GLOBAL_IPV6 = blockList(['2000::/3'])

export const resolveByDns: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address)

/** @param allowed the operator's networks that may be reached although they are not public, on any port and without TLS */
export function createReach({ allowed, resolve = resolveByDns }: { allowed: readonly string[]; resolve?: Resolve }) {
  const exceptions = blockList(allowed)

  function problemOf(address: string, url: URL): string | null {
    if (isIn(exceptions, address)) return null
    if (!isPublic(address)) return `${address} is not a public address; the operator can allow it (webhookNetworks)`
    if (url.protocol !== 'https:') return 'outside the networks that the operator allows, only https is used'
    const port = portOf(url)
    return WEB_PORTS.has(port) || port >= FIRST_FREE_PORT ? null : `port ${port} is not for the web`
  }

  return {
    /** Static checks of a URL: null, or what is wrong with it. */
    problemOf(text: string): string | null {
      const url = URL.parse(text)
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
        return 'not an http or https address'
      if (url.username !== '' || url.password !== '') return 'it must not hold a name or password'
      const literal = hostnameOf(url)
      return isIP(literal) === 0 ? null : problemOf(literal, url)
    },

    /** Resolves a name and checks all its addresses. @throws Unreachable */
    async targetOf(text: string): Promise<Target> {
      const url = new URL(text)
      const hostname = hostnameOf(url)
      const addresses = isIP(hostname) === 0 ? await resolve(hostname).catch(() => []) : [hostname]
      const [address] = addresses
      if (address === undefined) throw new Unreachable(`${hostname} has no address`)
      const problem = addresses.map((one) => problemOf(one, url)).find((one) => one !== null)
      if (problem !== undefined) throw new Unreachable(problem)
      return { address, port: portOf(url), tls: url.protocol === 'https:', hostname, host: url.host, path: url.pathname + url.search }
    },
  }
}

export type Reach = ReturnType<typeof createReach>

/** Whether an address is public. IPv4 addresses embedded in IPv6 (RFC 4291 mapped, RFC 6052 NAT64) are judged as IPv4. */
export function isPublic(address: string): boolean {
  const inner = innerIpv4(address)
  if (inner !== null) return isPublic(inner)
  if (isIP(address) === 4) return !isIn(SPECIAL, address)
  return isIP(address) === 6 && isIn(GLOBAL_IPV6, address) && !isIn(SPECIAL, address)
}

function innerIpv4(address: string): string | null {
  if (isIP(address) !== 6) return null
  const short = URL.parse(`http://[${address.split('%', 1)[0]}]`)?.hostname.slice(1, -1) ?? ''
  const [, high, low] = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(short) ?? []
  if (low === undefined) return null
  const [one, other] = [Number.parseInt(high ?? '0', 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join('.')
}

function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const isV6 = isIP(address) === 6
    list.addSubnet(address, Number(prefix ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
  }
  return list
}
