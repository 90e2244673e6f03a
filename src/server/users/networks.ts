import { isIP } from 'node:net'

/** The networks of an address, from the smallest to the largest. */
export interface Networks {
  /** Typical of one customer: a whole IPv4 address, the first 64 bits of an IPv6 one. */
  readonly own: string
  /** Typical of one site or company: /24 and /48. */
  readonly site: string
  /** Typical of one provider: /16 and /32. */
  readonly provider: string
}

export function networksOf(address: string): Networks {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (ipv4 !== undefined) {
    const bytes = ipv4.split('.')
    return { own: ipv4, site: `${bytes.slice(0, 3).join('.')}.0/24`, provider: `${bytes.slice(0, 2).join('.')}.0.0/16` }
  }
  if (isIP(plain) !== 6) return { own: plain, site: plain, provider: plain }
  const groups = groupsOf(plain)
  const prefix = (count: number): string => `${groups.slice(0, count).join(':')}::/${count * 16}`
  return { own: prefix(4), site: prefix(3), provider: prefix(2) }
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
